// Package tui is the dashboard: it shows in a terminal what another process records.
//
// It reads, and does only what people ask for. What it shows comes from a [Store], asked each
// 50 ms whether it has changed and read only then; reading happens in commands, so that
// a slow one never holds up a key. What the frame says of the time, of what is live and
// of what is missing is true at the moment at which it is drawn, and when the file
// cannot be read it says that instead.
//
// Three promises hold for every screen. Nothing that came from the network reaches the
// terminal raw: each piece of text is made visible where it is put on a line, see
// package draw. No line is wider than the terminal, and no size makes it fail. And
// whichever way [Run] ends, the terminal is left as it was found.
//
// The model at the root hands messages to screens, which are pointers with an Update
// that returns a command: live, timeline, pending, windows, hosts, sessions and, over some of them,
// detail. What they have in common is in package scene, every visual choice in package theme, every key in
// package keys, and what asks before something is done in package dialog.
// What can be done is listed by package palette, and filters are written in package filter.
//
// What people do to operations is done by [Actions], and to recorded sessions by [Keeper].
// Nothing that sends or settles is on a
// single key, nothing is confirmed by pasted text or by a key that is held, and every
// answer is shown, a refusal too.
package tui
