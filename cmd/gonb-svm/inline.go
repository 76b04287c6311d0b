package main

import (
	"encoding/base64"
	"fmt"
	"os"
	"strings"
)

// inlineImage is a PNG image as a terminal shows it in its text, "" for one that cannot: by the
// protocol of kitty, which Ghostty knows too, or that of iTerm2, which WezTerm and others know.
func inlineImage(png []byte, environment func(string) string) string {
	encoded := base64.StdEncoding.EncodeToString(png)
	term, program := environment("TERM"), environment("TERM_PROGRAM")
	switch {
	case environment("TMUX") != "" || strings.HasPrefix(term, "screen"):
		return "" // passes neither on
	case environment("KITTY_WINDOW_ID") != "" || term == "xterm-kitty" || term == "xterm-ghostty" || program == "ghostty":
		return kittyImage(encoded)
	case program == "iTerm.app" || program == "WezTerm" || program == "vscode" || environment("LC_TERMINAL") == "iTerm2":
		return fmt.Sprintf("\x1b]1337;File=inline=1;size=%d:%s\a\n", len(png), encoded)
	}
	return ""
}

// kittyImage sends an image in pieces of 4096 letters, of which all but the last say that more follow.
func kittyImage(encoded string) string {
	const piece = 4096
	var b strings.Builder
	for first := true; first || encoded != ""; first = false {
		part := encoded[:min(piece, len(encoded))]
		encoded = encoded[len(part):]
		keys, more := "", 0
		if first {
			keys = "f=100,a=T,q=2,"
		}
		if encoded != "" {
			more = 1
		}
		fmt.Fprintf(&b, "\x1b_G%sm=%d;%s\x1b\\", keys, more, part)
	}
	return b.String() + "\n"
}

// keepImage writes an image to a file of its own, whose name it gives.
func keepImage(png []byte) (name string, err error) {
	file, err := os.CreateTemp("", "gonb-svm-*.png")
	if err != nil {
		return "", err
	}
	if _, err = file.Write(png); err != nil {
		file.Close()
		return "", err
	}
	return file.Name(), file.Close()
}
