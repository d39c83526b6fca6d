package curl

import (
	"slices"
	"strings"
)

// redacted is what the recorder writes in place of a secret.
const redacted = "[redacted]"

// secrets cuts s where something was redacted. For each place it returns the name of the
// variable that has the secret, made from what name finds out about it from the text
// before the place.
func (c *command) secrets(s string, name func(before string) string) (parts, names []string) {
	for from := 0; ; {
		at := strings.Index(s[from:], redacted)
		if at < 0 {
			return append(parts, s[from:]), names
		}
		variable := Variable(name(s[:from+at]))
		c.note("redacted on record, so set it first: " + variable)
		parts, names = append(parts, s[from:from+at]), append(names, variable)
		from += at + len(redacted)
	}
}

// taken are variables that mean something else already, so that their values must not be
// sent, as far as a header or a field might be called so.
var taken = [...]string{
	"DIRSTACK", "EDITOR", "EUID", "GROUPS", "HISTFILE", "HOME", "HOSTNAME", "IFS", "LANG", "LINENO", "LOGNAME", "MAIL",
	"OLDPWD", "OPTARG", "OPTIND", "PATH", "PPID", "PWD", "RANDOM", "REPLY", "SECONDS", "SHELL", "SHLVL", "TERM", "TMPDIR", "UID", "USER",
}

// Variable returns the name of the environment variable that stands for a secret that
// goes by that name: in capitals, with a low line for what no variable can have.
func Variable(name string) string {
	v := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		case 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
			return r
		}
		return '_'
	}, name[:min(len(name), 40)])
	switch {
	case strings.Trim(v, "_") == "":
		return "REDACTED"
	case slices.Contains(taken[:], v), strings.HasPrefix(v, "BASH"), strings.HasPrefix(v, "LC_"), '0' <= v[0] && v[0] <= '9', v[0] == '_':
		return "REDACTED_" + strings.TrimLeft(v, "_")
	}
	return v
}

// fieldBefore returns the name of the field of JSON or of a form whose value follows.
func fieldBefore(before string) string {
	before = before[max(0, len(before)-80):]
	before = strings.TrimRight(before, `"\ `)
	if n := len(before); n == 0 || before[n-1] != ':' && before[n-1] != '=' {
		return ""
	}
	before = strings.TrimRight(before[:len(before)-1], `"\ `)
	return before[strings.LastIndexAny(before, `"&;{, `+"\n")+1:]
}
