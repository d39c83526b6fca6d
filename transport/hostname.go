package transport

import (
	"net"
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

// windowName returns the name that a host is known by here: in lower case and without the
// dot that says that a name is complete, since both reach the same server.
func windowName(host string) string { return strings.TrimSuffix(strings.ToLower(host), ".") }

// server is what windows, budgets and bandwidths know a host by: its name, and the port
// that a URL leads to.
type server struct{ name, port string }

func serverOf(u *url.URL) server {
	switch { // Most hosts have no port, and need not be taken apart.
	case strings.IndexByte(u.Host, ':') >= 0:
	case u.Scheme == "https":
		return server{windowName(u.Host), "443"}
	case u.Scheme == "http":
		return server{windowName(u.Host), "80"}
	}
	return server{windowName(u.Hostname()), portOf(u)}
}

// portOf returns the port that a URL leads to.
func portOf(u *url.URL) string {
	switch port := u.Port(); {
	case port != "":
		return port
	case u.Scheme == "http":
		return "80"
	case u.Scheme == "https":
		return "443"
	}
	return ""
}

// shownHost returns the host of a URL as windows show it, with the port that it names.
func shownHost(u *url.URL) string {
	name := windowName(u.Hostname())
	if port := u.Port(); port != "" {
		return net.JoinHostPort(name, port)
	}
	return name
}
