package notebooks

import (
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
)

// escapes matches the control sequences of terminals: colours and other things.
func escapes() *regexp.Regexp {
	return regexp.MustCompile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|[@-Z\\\\-_])")
}

// withoutANSI is a text without control sequences.
func withoutANSI(s string) string {
	if !strings.Contains(s, "\x1b") {
		return s
	}
	return escapes().ReplaceAllString(s, "")
}

// pen is the state of a terminal's text.
type pen struct {
	foreground, background         string // CSS colours, "" for the default
	bold, faint, italic, underline bool
}

// ansiHTML is a terminal's text as HTML, its colours as spans.
func ansiHTML(s string) string {
	var b strings.Builder
	var p pen
	at := 0
	for _, span := range escapes().FindAllStringIndex(s, -1) {
		b.WriteString(p.wrap(s[at:span[0]]))
		if sequence := s[span[0]:span[1]]; strings.HasPrefix(sequence, "\x1b[") && strings.HasSuffix(sequence, "m") {
			p.set(strings.FieldsFunc(sequence[2:len(sequence)-1], func(r rune) bool { return r == ';' || r == ':' }))
		}
		at = span[1]
	}
	b.WriteString(p.wrap(s[at:]))
	return b.String()
}

// wrap is escaped text in the pen's style.
func (p pen) wrap(s string) string {
	if s == "" {
		return ""
	}
	var style []string
	add := func(on bool, css string) {
		if on {
			style = append(style, css)
		}
	}
	add(p.foreground != "", "color:"+p.foreground)
	add(p.background != "", "background:"+p.background)
	add(p.bold, "font-weight:bold")
	add(p.faint, "opacity:.7")
	add(p.italic, "font-style:italic")
	add(p.underline, "text-decoration:underline")
	if style == nil {
		return html.EscapeString(s)
	}
	return `<span style="` + strings.Join(style, ";") + `">` + html.EscapeString(s) + "</span>"
}

// set applies the numbers of an SGR sequence.
func (p *pen) set(codes []string) {
	if len(codes) == 0 {
		*p = pen{}
	}
	for i := 0; i < len(codes); i++ {
		n, err := strconv.Atoi(codes[i])
		if err != nil {
			continue
		}
		switch {
		case n == 0:
			*p = pen{}
		case n == 1:
			p.bold = true
		case n == 2:
			p.faint = true
		case n == 3:
			p.italic = true
		case n == 4:
			p.underline = true
		case n == 22:
			p.bold, p.faint = false, false
		case n == 23:
			p.italic = false
		case n == 24:
			p.underline = false
		case n == 38 || n == 48:
			color, used := extended(codes[i+1:])
			if i += used; n == 38 {
				p.foreground = color
			} else {
				p.background = color
			}
		case n >= 30 && n <= 37:
			p.foreground = named(n - 30)
		case n == 39:
			p.foreground = ""
		case n >= 40 && n <= 47:
			p.background = named(n - 40)
		case n == 49:
			p.background = ""
		case n >= 90 && n <= 97:
			p.foreground = named(n - 90 + 8)
		case n >= 100 && n <= 107:
			p.background = named(n - 100 + 8)
		}
	}
}

// named is one of the sixteen colours; the page's style sheet says what each is in a light
// and in a dark theme.
func named(i int) string { return fmt.Sprintf("var(--ansi-%d)", i) }

// extended reads what follows 38 or 48: 5;n, one of 256 colours, or 2;r;g;b.
func extended(codes []string) (color string, used int) {
	numbers := make([]int, 0, 4)
	for _, code := range codes[:min(4, len(codes))] {
		n, err := strconv.Atoi(code)
		if err != nil {
			n = 0
		}
		numbers = append(numbers, min(max(n, 0), 255))
	}
	switch {
	case len(numbers) >= 2 && numbers[0] == 5:
		return indexed(numbers[1]), 2
	case len(numbers) == 4 && numbers[0] == 2:
		return fmt.Sprintf("rgb(%d,%d,%d)", numbers[1], numbers[2], numbers[3]), 4
	}
	return "", len(numbers)
}

// indexed is one of xterm's 256 colours: sixteen named ones, a cube of side six, and greys.
func indexed(n int) string {
	switch {
	case n < 16:
		return named(n)
	case n < 232:
		level := func(v int) int {
			if v == 0 {
				return 0
			}
			return 55 + 40*v
		}
		n -= 16
		return fmt.Sprintf("rgb(%d,%d,%d)", level(n/36), level(n/6%6), level(n%6))
	}
	grey := 8 + 10*(n-232)
	return fmt.Sprintf("rgb(%d,%d,%d)", grey, grey, grey)
}
