package curl

import (
	"crypto/sha256"
	"slices"
	"strconv"
	"strings"
)

// longest is how long an argument may become. Systems bound arguments, which
// what printf writes is not subject to: it is built into shells.
const longest = 64 << 10

// sendsBody reports whether the request has a body, if only one of no bytes that these
// methods announce (RFC 9110, section 8.6).
func (c *command) sendsBody() bool {
	return c.Body.Size > 0 || len(c.Body.Data) > 0 || slices.Contains([]string{"POST", "PUT", "PATCH"}, c.Method)
}

// body writes the body: as an argument, which curl must not take for the name of a file,
// or through printf if no argument can hold it. One that was not kept whole is asked for.
func (c *command) body() {
	if !c.sendsBody() {
		return
	}
	b := &c.Body
	if b.Truncated || int64(len(b.Data)) < b.Size && b.SHA256 == [sha256.Size]byte{} {
		c.note("of the body of " + strconv.FormatInt(b.Size, 10) + " bytes only " + strconv.Itoa(len(b.Data)) + " are on record")
		c.note("so BODY_FILE has to name a file with all of it")
		c.add("--data-binary", `"@${BODY_FILE:?}"`)
		return
	}
	parts, names := []string{string(b.Data)}, []string(nil)
	if b.SHA256 != [sha256.Size]byte{} && sha256.Sum256(b.Data) != b.SHA256 {
		c.note("the body was redacted on record, so these are not the bytes that were sent")
		parts, names = c.secrets(string(b.Data), fieldBefore)
	}
	if w := word(parts, names); len(w) <= longest && !strings.Contains(string(b.Data), "\x00") {
		c.add("--data-raw", w)
		return
	}
	c.pipe = printf(parts, names) + " | "
	c.add("--data-binary", "@-")
}

// printf returns a command that writes the parts, with the values of the variables
// between them. Its format has every byte in octal that would act on it.
func printf(parts, names []string) string {
	for i, part := range parts {
		parts[i] = escape(part, `'\!%`)
	}
	if strings.HasPrefix(parts[0], "-") {
		parts[0] = `\055` + parts[0][1:] // It is no option.
	}
	args := ""
	for _, name := range names {
		args += ` "$` + name + `"`
	}
	return "printf '" + strings.Join(parts, "%s") + "'" + args
}
