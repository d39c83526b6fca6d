package transport

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// splitHost returns the parts of a host as in a URL, in lower case and without the
// brackets of IPv6. It reports false for what is not one.
func splitHost(host string) (name, port string, ok bool) {
	if ip, err := netip.ParseAddr(host); err == nil && ip.Is6() {
		return strings.ToLower(host), "", true
	}
	u, err := url.Parse("http://" + host)
	if err != nil || u.Host != host || u.User != nil || strings.ContainsAny(host, " \t\r\n") {
		return "", "", false
	}
	name, port = windowName(u.Hostname()), u.Port()
	if name == "" || strings.HasSuffix(host, ":") {
		return "", "", false
	}
	if port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return "", "", false
		}
	}
	return name, port, true
}

// windowName returns the name that windows know a host by: in lower case and without the
// dot that says that a name is complete, since both reach the same server.
func windowName(host string) string { return strings.TrimSuffix(strings.ToLower(host), ".") }
