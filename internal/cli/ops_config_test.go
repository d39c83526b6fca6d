package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"redial/ledger"
)

// configure writes a configuration, and returns the environment that leads to it.
func configure(t *testing.T, format string, values ...any) string {
	t.Helper()
	folder := t.TempDir()
	file := filepath.Join(folder, "redial", "config.toml")
	if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, fmt.Appendf(nil, format, values...), 0o600); err != nil {
		t.Fatal(err)
	}
	return "XDG_CONFIG_HOME=" + folder
}

func TestAConfiguredCredentialIsSentToItsOriginAlone(t *testing.T) {
	v, other := newVendor(t), newVendor(t)
	file := ledgerFile(t, v.order("order-1"), other.order("order-2"))
	conf := configure(t, "[origins.%q]\nheaders.authorization = 'env:TOKEN'\n", v.URL+"/")
	code, out, said := act(t, file, []string{conf, "TOKEN=s3cret"}, "ops", "replay", "order-1", "--yes")
	expect(t, "replay", code, 0, out+said, "checkout/order-1: it is succeeded\n")
	if posts := v.requests("POST"); len(posts) != 1 || posts[0].Header.Get("Authorization") != "s3cret" {
		t.Errorf("the vendor got %v", posts)
	}
	code, _, said = act(t, file, []string{conf, "TOKEN=s3cret"}, "ops", "replay", "order-2", "--yes")
	expect(t, "replay at another origin", code, 1, said, "the credentials are there (missing: Authorization)")
	if len(other.seen) > 0 {
		t.Errorf("the other origin got %v", other.seen[0].Header)
	}
}

func TestAFlagTakesThePlaceOfAConfiguredCredential(t *testing.T) {
	v := newVendor(t)
	file := ledgerFile(t, v.order("order-1"))
	conf := configure(t, "[origins.%q]\nheaders.Authorization = 'env:TOKEN'\n", v.URL)
	code, out, said := act(t, file, []string{conf, "TOKEN=old", "OTHER=new"}, "ops", "replay", "order-1", "--yes", "--header", v.URL+" authorization: env:OTHER")
	expect(t, "replay", code, 0, out+said, "checkout/order-1: it is succeeded\n")
	if posts := v.requests("POST"); len(posts) != 1 || !slices.Equal(posts[0].Header.Values("Authorization"), []string{"new"}) {
		t.Errorf("the vendor got %v", posts)
	}
}

func TestAConfiguredCredentialThatIsNotSetIsMissing(t *testing.T) {
	v := newVendor(t)
	file := ledgerFile(t, v.order("order-1"))
	conf := configure(t, "[origins.%q]\nheaders.Authorization = 'env:TOKEN'\n", v.URL)
	code, _, said := act(t, file, []string{conf}, "ops", "replay", "order-1", "--yes")
	expect(t, "replay", code, 1, said, "the credentials are there (missing: Authorization, from $TOKEN); set TOKEN, which "+strings.TrimPrefix(conf, "XDG_CONFIG_HOME=")+"/redial/config.toml:2 names for it")
}

// undeclared is an order at an API of which the service has not declared that it honours
// keys.
func undeclared(v *vendor) ledger.Intent {
	in := v.order("order-1")
	in.Policy.Honoured, in.Withheld = false, nil
	in.Fingerprint = in.Sum()
	return in
}

func TestAConfiguredKeyPolicyCountsForAReplay(t *testing.T) {
	for name, serves := range map[string]bool{"from here": false, "by the live service": true} {
		t.Run(name, func(t *testing.T) {
			v := newVendor(t)
			file := ledgerFile(t, undeclared(v))
			code, _, said := act(t, file, nil, "ops", "replay", "order-1", "--yes")
			expect(t, "replay without it", code, 1, said, "the API honours keys (not declared: this may do it a second time)")
			if serves {
				checkout(t, file, true)
			}
			conf := configure(t, "\n[origins.%q]\nkeys = { honoured = true }\n", v.URL)
			code, out, said := act(t, file, []string{conf}, "ops", "replay", "order-1", "--yes", "--reason", "it waits")
			expect(t, "replay", code, 0, out+said, "checkout/order-1: it is succeeded\n")
			_, rows := stored(t, file, "order-1")
			if !slices.ContainsFunc(rows, func(r ledger.Transition) bool {
				return r.Reason == "asked for a replay: it waits; config.toml:3 says that this API honours keys, despite honoured"
			}) {
				t.Errorf("it is not on record: %+v", rows)
			}
		})
	}
}

func TestAConfiguredKeyPolicyCanBeStricterThanTheService(t *testing.T) {
	for name, c := range map[string]struct{ policy, want string }{
		"not honoured":      {"honoured = false", "the API honours keys (config.toml:2 says that it does not); --despite honoured"},
		"a shorter memory":  {"honoured = true, lifetime = '30m'", "the key is young enough (1h of 30m); --despite key-age"},
		"a header of old":   {"honoured = true, header = 'X-Key'", ""},
		"as it is declared": {"honoured = true", ""},
	} {
		t.Run(name, func(t *testing.T) {
			v := newVendor(t)
			in := v.order("order-1")
			in.Withheld = nil
			file := ledgerFile(t, in)
			conf := configure(t, "[origins.%q]\nkeys = { %s }\n", v.URL, c.policy)
			code, out, said := act(t, file, []string{conf}, "ops", "replay", "order-1", "--yes")
			if c.want == "" {
				expect(t, "replay", code, 0, out+said, "checkout/order-1: it is succeeded\n")
				return
			}
			expect(t, "replay", code, 1, said, c.want)
			if n := len(v.seen); n > 0 {
				t.Errorf("%d requests were sent", n)
			}
		})
	}
}

func TestAKeyThatWentOutUnderAnotherHeaderIsNotTakenForHonoured(t *testing.T) {
	v := newVendor(t)
	file := ledgerFile(t, undeclared(v))
	conf := configure(t, "[origins.%q]\nkeys = { honoured = true, header = 'X-Key' }\n", v.URL)
	code, _, said := act(t, file, []string{conf}, "ops", "replay", "order-1", "--yes")
	expect(t, "replay", code, 1, said, "the API honours keys (not declared: this may do it a second time)")
}

func TestALongerMemoryThatIsConfiguredMakesAnOldKeyYoung(t *testing.T) {
	v := newVendor(t)
	in := v.order("order-1")
	in.Withheld = nil
	file := ledgerFile(t)
	fill(t, file, time.Now().Add(-25*time.Hour), in)
	conf := configure(t, "[origins.%q]\nkeys = { honoured = true, lifetime = '7d' }\n", v.URL)
	code, out, said := act(t, file, []string{conf}, "ops", "replay", "order-1", "--yes")
	expect(t, "replay", code, 0, out+said, "checkout/order-1: it is succeeded\n")
	_, rows := stored(t, file, "order-1")
	if !slices.ContainsFunc(rows, func(r ledger.Transition) bool { return strings.Contains(r.Reason, "despite key-age") }) {
		t.Errorf("it is not on record: %+v", rows)
	}
}
