package theme

import "charm.land/lipgloss/v2"

func dark() palette {
	return palette{
		strong: rgb("#ffffff"), dim: rgb("#8a93a6"), faint: rgb("#465066"), accent: rgb("#7cb7ff"),
		good: rgb("#8fd694"), warn: rgb("#f0c674"), bad: rgb("#ff7b86"), doubt: rgb("#d3a4ff"),
		window: rgb("#6fd3e8"), backoff: rgb("#f0c674"), retryAfter: rgb("#ff9f5a"), bandwidth: rgb("#9aa7ff"),
		send: rgb("#7cb7ff"), wait: rgb("#f0c674"), receive: rgb("#8fd694"),
		alertText: rgb("#1a1c23"), ground: rgb("#2a3550"), dimSelected: rgb("#a9b3c8"),
	}
}

func light() palette {
	return palette{
		strong: rgb("#000000"), dim: rgb("#5c6576"), faint: rgb("#b3bac7"), accent: rgb("#1f5fbf"),
		good: rgb("#217a35"), warn: rgb("#8a6100"), bad: rgb("#c0202f"), doubt: rgb("#7b2fb8"),
		window: rgb("#0b7189"), backoff: rgb("#8a6100"), retryAfter: rgb("#b04a00"), bandwidth: rgb("#4a4fc4"),
		send: rgb("#1f5fbf"), wait: rgb("#8a6100"), receive: rgb("#217a35"),
		alertText: rgb("#ffffff"), ground: rgb("#e3edfd"), dimSelected: rgb("#454e5e"),
	}
}

// Of the 16 colours each terminal makes what it likes. Those that are hard to read on a light
// ground whatever it makes of them are not used there, and no two of them can be relied on to
// be read on each other, so that the selected row is in reverse video.
func dark16() palette {
	return palette{
		strong: lipgloss.BrightWhite, dim: lipgloss.White, faint: lipgloss.BrightBlack, accent: lipgloss.BrightCyan,
		good: lipgloss.Green, warn: lipgloss.Yellow, bad: lipgloss.BrightRed, doubt: lipgloss.BrightMagenta,
		window: lipgloss.Cyan, backoff: lipgloss.Yellow, retryAfter: lipgloss.BrightYellow, bandwidth: lipgloss.BrightBlue,
		send: lipgloss.BrightCyan, wait: lipgloss.Yellow, receive: lipgloss.Green,
		alertText: lipgloss.Black, reverse: true,
	}
}

func light16() palette {
	return palette{
		strong: lipgloss.Black, dim: lipgloss.BrightBlack, faint: lipgloss.BrightBlack, accent: lipgloss.Blue,
		warn: lipgloss.Magenta, bad: lipgloss.Red, doubt: lipgloss.Magenta,
		window: lipgloss.Blue, backoff: lipgloss.Magenta, retryAfter: lipgloss.Red, bandwidth: lipgloss.Blue,
		send: lipgloss.Blue, wait: lipgloss.Magenta,
		alertText: lipgloss.BrightWhite, reverse: true,
	}
}
