package notebooks

import (
	goscanner "go/scanner"
	"go/token"
	"html"
	"strings"
)

// highlighted is Go source as HTML, in a pre element, its words in classes that page.css
// colours. Text that is no Go, such as the commands of a cell, is left as it is.
func highlighted(source string) string {
	var b strings.Builder
	b.WriteString("<pre class=\"go\"><code>")
	write := func(class, text string) {
		text = html.EscapeString(text)
		if class != "" {
			text = `<span class="` + class + `">` + text + "</span>"
		}
		b.WriteString(text)
	}
	file := token.NewFileSet().AddFile("", -1, len(source))
	var words goscanner.Scanner
	words.Init(file, []byte(source), func(token.Position, string) {}, goscanner.ScanComments)
	written := 0
	for {
		pos, kind, literal := words.Scan()
		if kind == token.EOF {
			break
		}
		begin := file.Offset(pos)
		end := min(begin+len(literal), len(source))
		if kind == token.SEMICOLON || literal == "" || begin < written || source[begin:end] != literal {
			continue // not in a class, or changed by the scanner, as lines that end in \r\n are
		}
		write("", source[written:begin])
		write(wordClass(kind, literal, source[end:]), literal)
		written = end
	}
	write("", source[written:])
	b.WriteString("</code></pre>")
	return b.String()
}

// wordClass is the class of a word of Go; rest is the source behind it.
func wordClass(kind token.Token, literal, rest string) string {
	switch {
	case kind.IsKeyword():
		return "keyword"
	case kind == token.COMMENT:
		return "comment"
	case kind == token.STRING || kind == token.CHAR:
		return "text"
	case kind.IsLiteral() && kind != token.IDENT:
		return "number"
	case kind == token.IDENT && strings.HasPrefix(rest, "("):
		return "call"
	case literal == "true" || literal == "false" || literal == "nil":
		return "number"
	}
	return ""
}
