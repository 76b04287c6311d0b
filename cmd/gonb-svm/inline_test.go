package main

import (
	"encoding/base64"
	"regexp"
	"strings"
	"testing"
)

func TestInlineImage(t *testing.T) {
	png := []byte(strings.Repeat("\x89PNG picture ", 1000))
	in := func(environment map[string]string) string {
		return inlineImage(png, func(name string) string { return environment[name] })
	}
	kitty := in(map[string]string{"TERM": "xterm-kitty"})
	var sent strings.Builder
	pieces := regexp.MustCompile(`\x1b_G([^;]*);([^\x1b]*)\x1b\\`).FindAllStringSubmatch(kitty, -1)
	for i, p := range pieces {
		if more := strings.HasSuffix(p[1], "m=1"); more == (i == len(pieces)-1) || len(p[2]) > 4096 {
			t.Errorf("piece %d of %d is %s with %d letters", i+1, len(pieces), p[1], len(p[2]))
		}
		sent.WriteString(p[2])
	}
	if got, err := base64.StdEncoding.DecodeString(sent.String()); err != nil || string(got) != string(png) || len(pieces) < 2 {
		t.Errorf("%v: %d pieces do not make the picture", err, len(pieces))
	}
	iterm := in(map[string]string{"TERM_PROGRAM": "iTerm.app", "TERM": "xterm-256color"})
	if !strings.HasPrefix(iterm, "\x1b]1337;File=inline=1;size=13000:") || !strings.HasSuffix(iterm, "\a\n") {
		t.Errorf("iTerm2 is sent %.60q", iterm)
	}
	for _, environment := range []map[string]string{{"TERM": "xterm-256color"}, {"TERM": "screen", "KITTY_WINDOW_ID": "1"}, {"TERM_PROGRAM": "iTerm.app", "TMUX": "a"}} {
		if got := in(environment); got != "" {
			t.Errorf("%v is sent %.60q", environment, got)
		}
	}
}
