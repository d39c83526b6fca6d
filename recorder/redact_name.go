package recorder

import (
	"strings"
)

// secrecy says whether what goes by a name is a secret.
type secrecy uint8

const (
	open      secrecy = iota
	ambiguous         // a secret as a parameter, a field or an element, and an everyday word elsewhere: code
	secret
)

// names decides which names are those of secrets. Case and punctuation do not matter, so
// that access_token, Access-Token and accessToken are one name.
type names struct {
	extra map[string]bool    // asked for in the options
	known map[string]secrecy // decided before
}

// maxKnown bounds the cache of decisions: names can come from the network.
const maxKnown = 4096

// secretEndings end a name of a secret: access_token, X-Amz-Signature.
var secretEndings = [...]string{
	"token", "password", "passwd", "passphrase", "passcode", "secret", "signature", "assertion",
	"apikey", "accesskey", "accesskeyid", "privatekey", "secretkey", "authkey", "subscriptionkey",
	"functionskey", "signingkey", "encryptionkey", "credential", "credentials", "authorization",
	"rspauth", "jwt", "cookie", "cookies", "samlresponse", "codeverifier",
}

// secretWords make a name that of a secret wherever in it they stand: password_confirmation.
var secretWords = [...]string{"password", "passwd", "passphrase", "secret", "secrets"}

// secretParameters are names that only as a whole are those of secrets, and only where a
// parameter or a field is meant.
var secretParameters = [...]string{
	"code", "authcode", "authorizationcode", "devicecode", "sig", "pwd", "pass", "otp", "auth",
	"phpsessid", "jsessionid",
}

func newNames(extra []string) *names {
	n := &names{extra: make(map[string]bool), known: make(map[string]secrecy)}
	for _, name := range extra {
		joined, _ := normalise(name)
		n.extra[joined] = true
	}
	return n
}

// of returns the secrecy of what goes by a name, as it stands in the text: percent-encoded
// or escaped.
func (n *names) of(name string) secrecy {
	s, ok := n.known[name]
	if ok {
		return s
	}
	s = n.decide(unescapeJSON(unescapeURL(name, true)))
	if len(n.known) >= maxKnown {
		clear(n.known)
	}
	if len(name) <= 128 {
		n.known[strings.Clone(name)] = s
	}
	return s
}

func (n *names) decide(name string) secrecy {
	if at := strings.LastIndexByte(name, '['); at > 0 && strings.HasSuffix(name, "]") { // x[code]
		if s := n.decide(name[at+1 : len(name)-1]); s != open {
			return s
		}
	}
	joined, words := normalise(name)
	if n.extra[joined] || words {
		return secret
	}
	joined = strings.TrimRight(joined, "0123456789")
	for _, ending := range secretEndings {
		if strings.HasSuffix(joined, ending) {
			return secret
		}
	}
	for _, whole := range secretParameters {
		if joined == whole {
			return ambiguous
		}
	}
	return open
}

// normalise returns a name in lower case without punctuation, and whether one of its words
// is a secret word. Words end at punctuation and where the case changes.
func normalise(name string) (joined string, secretWord bool) {
	out := make([]byte, 0, 64)
	word := 0 // where the current one begins in out
	for i := range len(name) {
		c := name[i]
		if !isWord(c) || startsWord(name, i) {
			secretWord = secretWord || isSecretWord(out[word:])
			word = len(out)
		}
		if isWord(c) {
			out = append(out, lower(c))
		}
	}
	return string(out), secretWord || isSecretWord(out[word:])
}

func isSecretWord(word []byte) bool {
	for _, w := range secretWords {
		if string(word) == w {
			return true
		}
	}
	return false
}

// startsWord reports whether the case says that a word begins at i: accessToken, AWSKey.
func startsWord(s string, i int) bool {
	if i == 0 || !isUpper(s[i]) {
		return false
	}
	return !isUpper(s[i-1]) || i+1 < len(s) && isWord(s[i+1]) && !isUpper(s[i+1])
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// isWord reports whether c is part of a word: no punctuation, no space.
func isWord(c byte) bool { return isLetter(c) || isDigit(c) || c >= 0x80 }

func lower(c byte) byte {
	if isUpper(c) {
		return c | 0x20
	}
	return c
}
