package cli

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
)

// resolutions say where to connect to for a host and a port, in place of what the name
// resolves to: host:port as it is dialled, and the addresses to try for it.
type resolutions map[string][]string

// parseResolutions reads what --resolve was given, in curl's form: host:port:address, or
// several addresses with commas between them. An IPv6 address may stand in brackets.
func parseResolutions(list []string) (resolutions, error) {
	all := resolutions{}
	for _, text := range list {
		wrong := usagef("--resolve %q: it looks like api.example.test:443:192.0.2.7", text)
		host, rest, ok := strings.Cut(text, ":")
		if end := strings.Index(text, "]:"); strings.HasPrefix(text, "[") && end > 0 {
			host, rest, ok = text[1:end], text[end+2:], true
		}
		port, addresses, more := strings.Cut(rest, ":")
		if n, err := strconv.ParseUint(port, 10, 16); !ok || !more || host == "" || err != nil || n == 0 {
			return nil, wrong
		}
		at := net.JoinHostPort(strings.ToLower(host), port)
		for address := range strings.SplitSeq(addresses, ",") {
			ip, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(address, "["), "]"))
			if err != nil {
				return nil, wrong
			}
			all[at] = append(all[at], net.JoinHostPort(ip.String(), port))
		}
	}
	return all, nil
}

// base returns the transport that connects as the resolutions say, and otherwise as Go's
// own does.
func (all resolutions) base() *http.Transport {
	base := http.DefaultTransport.(*http.Transport).Clone()
	if len(all) > 0 {
		base.DialContext = all.dial
	}
	return base
}

func (all resolutions) dial(ctx context.Context, network, address string) (net.Conn, error) {
	var dialer net.Dialer
	addresses := all[strings.ToLower(address)]
	if len(addresses) == 0 {
		return dialer.DialContext(ctx, network, address)
	}
	var conn net.Conn
	var err error
	for _, to := range addresses {
		if conn, err = dialer.DialContext(ctx, network, to); err == nil {
			break
		}
	}
	return conn, err
}
