package digest_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/mccutchen/go-httpbin/v2/httpbin"

	"redial/transport"
	"redial/transport/digest"
)

// A server that wants digest authentication is answered within the call, and later calls
// use what it said.
func ExampleDigest() {
	server := httptest.NewServer(httpbin.New())
	defer server.Close()

	client := &http.Client{Transport: &transport.Transport{
		Auth: &digest.Digest{
			Username: "op",
			Password: "pw1",
			Origins:  []string{server.URL}, // nobody else is shown a digest of the password
		},
	}}
	resp, err := client.Get(server.URL + "/digest-auth/auth/op/pw1/SHA-256")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	io.Copy(io.Discard, resp.Body)
	fmt.Println(resp.Status)
	// Output: 200 OK
}

// What cannot be is found out before anything is sent.
func ExampleDigest_Validate() {
	d := &digest.Digest{Username: "op", Password: "pw1"}
	fmt.Println(d.Validate())
	// Output: redial: Digest.Origins is empty: name each origin that may see the credentials, such as https://api.example.test
}
