package recorder

import (
	"bytes"
	"crypto/sha256"
	"strings"
	"testing"
	"unicode/utf16"

	"redial/ledger"
)

// recorded returns what is kept of a body.
func recorded(t *testing.T, media, encoding string, data []byte, cut bool) ledger.Body {
	t.Helper()
	before := bytes.Clone(data)
	m := ledger.Message{Header: headersOf(media, encoding), Body: ledger.Body{
		Data: data, Size: int64(len(data)), SHA256: sha256.Sum256(data), Truncated: cut,
	}}
	newRedactor(Options{}).message(&m)
	if !bytes.Equal(data, before) {
		t.Error("the caller's bytes were changed")
	}
	if m.Body.Size != int64(len(data)) || m.Body.SHA256 != sha256.Sum256(data) {
		t.Error("the size or the hash was changed")
	}
	return m.Body
}

func TestBodyWithoutSecretsStaysAsItIs(t *testing.T) {
	for name, b := range map[string]struct {
		media, encoding string
		data            []byte
	}{
		"JSON":              {"application/json", "", []byte(`{"a": [1, "x:y=z", {"tokenizer": "t"}], "u": "https:\/\/h\/?a=1"}`)},
		"form":              {"application/x-www-form-urlencoded", "", []byte("a=1&b=x%20y+z&c")},
		"image":             {"image/png", "", []byte("\x89PNG\r\n\x1a\n\xff")}, // wanghongenpin/proxypin#775
		"four bytes":        {"", "", []byte("\x00\xff\nA")},                    // ProxymanApp/Proxyman#1614
		"not gzip":          {"text/plain", "gzip", []byte("\xde\xad\xbe\xef")}, // mitmproxy/mitmproxy#1502
		"gzip":              {"application/json", "gzip", pack1("gzip", []byte(`{"a":1}`))},
		"gzip file":         {"", "", pack1("gzip", []byte("plain text"))},
		"deflate":           {"text/plain", "deflate", pack1("deflate", []byte("plain text"))},
		"text like deflate": {"text/plain", "", []byte("x^2 + y")},
		"brotli":            {"text/plain", "br", pack1("br", []byte("plain text"))},
		"zstd":              {"text/plain", "zstd", pack1("zstd", []byte("plain text"))},
		"zstd file":         {"", "", pack1("zstd", []byte("plain text"))},
		"two frames":        {"", "zstd", append(pack1("zstd", []byte("plain")), pack1("zstd", []byte(" text"))...)},
		"frame to skip":     {"", "zstd", append([]byte("\x5f\x2a\x4d\x18\x03\x00\x00\x00abc"), pack1("zstd", []byte("text"))...)},
		"not zstd":          {"text/plain", "zstd", []byte("plain text")},
		"empty":             {"application/json", "", []byte{}},
		"wrong type":        {"application/json; charset", "", []byte("no JSON")},
		"multipart":         {"multipart/form-data; boundary=x", "", []byte("--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n--x--\r\n")},
		"form of the world": {"text/html", "", []byte(`<form action="/x?a=1"><input name="q" value="v"></form>`)},
	} {
		if got := recorded(t, b.media, b.encoding, b.data, false); !bytes.Equal(got.Data, b.data) || got.Truncated {
			t.Errorf("%s is kept as %q", name, got.Data)
		}
	}
}

func TestBodyThatCannotBeSearchedIsNotKept(t *testing.T) {
	var wide []byte
	for _, u := range utf16.Encode([]rune(`{"password":"abc"}`)) {
		wide = append(wide, byte(u), byte(u>>8))
	}
	nested := []byte("plain text")
	for range maxDepth + 1 {
		nested = pack1("gzip", nested)
	}
	for name, b := range map[string]struct {
		media, encoding string
		data            []byte
	}{
		"compressed time and again":    {"", "", nested},
		"garbage as brotli":            {"application/json", "br", []byte("\xde\xad\xbe\xef")},
		"brotli with a dictionary":     {"application/json", "dcb", []byte("\xffDCB")},
		"compressed by LZW":            {"application/json", "compress", []byte("\x1f\x9d\x90")},
		"twice compressed":             {"application/json", "gzip, gzip", pack1("gzip", pack1("gzip", []byte("{}")))},
		"raw deflate":                  {"application/json", "deflate", []byte("\xab\xae\x05\x00")},
		"zip":                          {"application/zip", "", []byte("PK\x03\x04abc")},
		"UTF-16":                       {"application/json", "", wide},
		"UTF-16, big end first":        {"application/json", "", append([]byte{0}, wide[:len(wide)-1]...)},
		"UTF-16 by its mark":           {"", "", append([]byte("\xff\xfe"), wide...)},
		"UTF-7":                        {"text/plain; charset=utf-7", "", []byte("+AHAAYQBzAHM-word=abc")},
		"UTF-16 by another name":       {"text/plain; charset=\"UTF_16LE\"", "", []byte("\x01\x02")},
		"EBCDIC":                       {"application/json; charset=ebcdic-cp-us", "", []byte("\xc0\x7f\x97\x81")},
		"UTF-16 by its type":           {"text/plain; charset=UTF-16", "", []byte("\x01\x02")},
		"multipart without a boundary": {"multipart/form-data", "", []byte("abc")},
		"multipart with another one":   {"multipart/form-data; boundary=y", "", []byte("abc\r\n--x\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nabc\r\n--x--\r\n")},
		"damaged gzip":                 {"", "gzip", []byte("\x1f\x8babc")},
		"damaged zstd":                 {"", "zstd", []byte("\x28\xb5\x2f\xfdabc")},
		"a window that is too large":   {"", "zstd", []byte("\x28\xb5\x2f\xfd\x00\x71\x19\x00\x00abc")},
		"zstd with a dictionary":       {"", "zstd", []byte("\x28\xb5\x2f\xfd\x21\x07\x03\x19\x00\x00abc")},
	} {
		if got := recorded(t, b.media, b.encoding, b.data, false); got.Data != nil || !got.Truncated {
			t.Errorf("%s is kept as %q", name, got.Data)
		}
	}
}

func TestMultipartIsRedactedByPart(t *testing.T) {
	in := strings.Join([]string{
		"preamble",
		"--x", `Content-Disposition: form-data; name="note"`, "", "hello",
		"--x", `Content-Disposition: form-data; name="password"`, "", "a--xb", "b",
		"--x", `Content-Disposition: form-data; name*=UTF-8''pass%77ord`, "", "abc",
		"--x", "Content-Disposition: form-data;\r\n\tname=\"password\"", "", "abc",
		"--x", `Content-Disposition: form-data; name="broken`, "", "abc",
		"--x", `Content-Disposition: form-data; name="data"`, "Content-Type: application/json", "", `{"token":"abc","n":1}`,
		"--x", `Content-Disposition: form-data; name="data"`, "Content-Transfer-Encoding: base64", "", "YWJj",
		"--x", `Content-Disposition: form-data; name="file"`, "Content-Encoding: br", "", "abc",
		"--x--", "",
	}, "\r\n")
	want := strings.Join([]string{
		"preamble",
		"--x", `Content-Disposition: form-data; name="note"`, "", "hello",
		"--x", `Content-Disposition: form-data; name="password"`, "", redacted,
		"--x", `Content-Disposition: form-data; name*=UTF-8''pass%77ord`, "", redacted,
		"--x", "Content-Disposition: form-data;\r\n\tname=\"password\"", "", redacted,
		"--x", `Content-Disposition: form-data; name="broken`, "", redacted,
		"--x", `Content-Disposition: form-data; name="data"`, "Content-Type: application/json", "", `{"token":"[redacted]","n":1}`,
		"--x", `Content-Disposition: form-data; name="data"`, "Content-Transfer-Encoding: base64", "", redacted,
		"--x", `Content-Disposition: form-data; name="file"`, "Content-Encoding: br", "", redacted,
		"--x--", "",
	}, "\r\n")
	got := string(recorded(t, "multipart/form-data; boundary=x", "", []byte(in), false).Data)
	if got != want {
		t.Errorf("the body is\n%s\nwant\n%s", got, want)
	}
	if lf := strings.ReplaceAll(in, "\r", ""); string(recorded(t, "", "", []byte(lf[len("preamble\n"):]), false).Data) != strings.ReplaceAll(want, "\r", "")[len("preamble\n"):] {
		t.Error("with bare line feeds it is redacted differently")
	}
}

// dnaeon/go-vcr#114: what a token request and its answer hold is secret almost throughout.
func TestTokenExchangeKeepsNoSecret(t *testing.T) {
	c := &ledger.Call{Query: "client_id=shop&client_secret=CANARY", AttemptList: []ledger.Attempt{{
		Request: ledger.Message{
			Header: append(headersOf("application/x-www-form-urlencoded", ""), ledger.Field{Name: "Authorization", Value: "Basic CANARY"}),
			Body:   ledger.Body{Data: []byte("grant_type=client_credentials&client_id=shop&client_secret=CANARY")},
		},
		Response: ledger.Message{
			Header: append(headersOf("application/json", ""), ledger.Field{Name: "Set-Cookie", Value: "sid=CANARY; Path=/"}),
			Body:   ledger.Body{Data: []byte(`{"access_token":"CANARY","token_type":"Bearer","expires_in":3600,"refresh_token":"CANARY"}`)},
		},
	}}}
	newRedactor(Options{}).call(c)
	got := texts(c)
	if strings.Contains(got, "CANARY") {
		t.Errorf("a secret is left in %q", got)
	}
	for _, want := range []string{"grant_type=client_credentials&client_id=shop", `"token_type":"Bearer","expires_in":3600`} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is gone from %q", want, got)
		}
	}
}

// hashicorp/go-retryablehttp#158: the URL in an error has the password.
func TestErrorKeepsNoUserinfo(t *testing.T) {
	c := &ledger.Call{
		Error:       `GET http://u:CANARY@127.0.0.1/ giving up after 5 attempts: Get "http://u:CANARY@127.0.0.1/": EOF`,
		AttemptList: []ledger.Attempt{{Err: `Get "http://u:CANARY@127.0.0.1/": EOF`}},
	}
	newRedactor(Options{}).call(c)
	if got := texts(c); strings.Contains(got, "CANARY") || !strings.Contains(got, "@127.0.0.1/ giving up after 5 attempts") {
		t.Errorf("the errors are %q", got)
	}
}
