package magic

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"regexp"
	"strings"
)

// stepKind is what a part of a cell is.
type stepKind int

const (
	goStep      stepKind = iota
	magicStep            // %name args, or %%name args with the rest of the cell
	shellStep            // !command
	captureStep          // name := !command
)

// step is one part of a cell: some whole lines. Offsets are bytes of the cell.
type step struct {
	kind       stepKind
	start, end int
	name       string // of a command, with its marks: "%time", "%%bash"
	nameAt     int
	args       string // what follows, with lines that a backslash continues joined
	argsAt     int    // where args begins
	body       int    // of %%name: where the line after it begins
	target     string // of a capture: "x :="
	foreign    bool   // after //gonb:, as other editors want it
}

// goPrefix may stand before a command, which makes it a comment to Go.
const goPrefix = "//gonb:"

// captured matches a line that keeps what a command prints.
var captured = regexp.MustCompile(`^(?:var[ \t]+)?([\pL_][\pL\pN_]*)[ \t]*(:?=)[ \t]*!`)

// split cuts a cell into its steps. known says which names mean something to Go.
func split(source string, known func(string) bool) []step {
	if !strings.ContainsAny(source, "%!") {
		return []step{{kind: goStep, end: len(source)}}
	}
	var steps []step
	begun := 0 // of the Go part under way
	finish := func(end int) {
		if hasTokens(source[begun:end]) {
			steps = append(steps, step{kind: goStep, start: begun, end: end})
		}
	}
	for at := 0; ; {
		s, found := next(source, at, known)
		if !found {
			finish(len(source))
			if len(steps) == 0 {
				return []step{{kind: goStep, end: len(source)}}
			}
			return steps
		}
		finish(s.start)
		if strings.HasPrefix(s.name, "%%") && len(s.name) > 2 {
			s.body, s.end = s.end, len(source)
		}
		steps = append(steps, s)
		at, begun = s.end, s.end
	}
}

// next is the first command in the Go that begins at an offset.
func next(source string, from int, known func(string) bool) (s step, found bool) {
	starts(source, from, func(at, first int) bool {
		s, found = command(source, at, first, known)
		return found
	})
	return s, found
}

// starts visits the lines from an offset on that begin where a statement of Go could begin: at
// is where such a line begins, first its first character that is no space. It ends when visit
// returns true.
func starts(source string, from int, visit func(at, first int) bool) {
	var sc scanner.Scanner
	text := []byte(source[from:])
	file := token.NewFileSet().AddFile("", -1, len(text))
	sc.Init(file, text, func(token.Position, string) {}, scanner.ScanComments)
	depth, free, end := 0, true, from
	for {
		pos, tok, lit := sc.Scan()
		if tok == token.EOF {
			return
		}
		if tok == token.SEMICOLON {
			free = depth <= 0
			continue
		}
		at := from + file.Offset(pos)
		line := 1 + strings.LastIndexByte(source[:at], '\n')
		if free && line >= end && strings.TrimLeft(source[line:at], " \t\r") == "" && visit(line, at) {
			return
		}
		end = at + size(source[at:], tok, lit)
		switch tok {
		case token.COMMENT:
			continue
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		}
		free = false
	}
}

// size is the length in the source of a token that begins it.
func size(source string, tok token.Token, lit string) int {
	switch {
	case tok == token.STRING && source[0] == '`':
		if end := strings.IndexByte(source[1:], '`'); end >= 0 {
			return end + 2
		}
		return len(source)
	case tok == token.COMMENT && strings.HasPrefix(source, "/*"):
		if end := strings.Index(source[2:], "*/"); end >= 0 {
			return end + 4
		}
		return len(source)
	case lit != "":
		return len(lit)
	}
	return len(tok.String())
}

// hasTokens says whether there is any Go in text.
func hasTokens(text string) bool {
	var sc scanner.Scanner
	sc.Init(token.NewFileSet().AddFile("", -1, len(text)), []byte(text), func(token.Position, string) {}, 0)
	_, tok, _ := sc.Scan()
	return tok != token.EOF
}

// command reads the command on a line of which the first character that is no space is given.
func command(source string, line, first int, known func(string) bool) (step, bool) {
	s := step{start: line}
	if rest, ok := strings.CutPrefix(source[first:], goPrefix); ok {
		s.foreign = true
		first = len(source) - len(strings.TrimLeft(rest, " \t"))
	}
	text := source[first:]
	switch {
	case strings.HasPrefix(text, "%"):
		name := magicName.FindString(text)
		s.kind, s.name, s.nameAt = magicStep, name, first
		s.argsAt = first + len(name)
		s.argsAt += len(text[len(name):]) - len(strings.TrimLeft(text[len(name):], " \t"))
	case strings.HasPrefix(text, "!"):
		s.kind, s.argsAt, s.nameAt = shellStep, first+1, first
	default:
		m := captured.FindStringSubmatchIndex(text)
		if m == nil {
			return step{}, false
		}
		s.kind, s.argsAt, s.nameAt = captureStep, first+m[1], first
		s.target = text[m[2]:m[3]] + " " + text[m[4]:m[5]]
		if strings.HasPrefix(text, "var") && text[m[2]:m[3]] != "var" {
			s.target = text[m[2]:m[3]] + " :="
		}
	}
	s.args, s.end = joined(source, s.argsAt)
	if s.kind != magicStep && isGo(source[:line], s.args, known) {
		return step{}, false
	}
	if m, ok := lookup(s.name); ok && m.code && !strings.HasPrefix(s.name, "%%") {
		s.end = statementEnd(source, s.argsAt, s.end)
		s.args = strings.TrimSpace(source[s.argsAt:s.end])
	}
	return s, true
}

// magicName matches a command's name with its marks.
var magicName = regexp.MustCompile(`^%%?[\pL_][\pL\pN_]*|^%%|^%`)

// joined is the rest of a line, with the lines that follow where it ends in a backslash, and
// the offset of the line after it.
func joined(source string, from int) (text string, end int) {
	var all strings.Builder
	for {
		line, _, more := strings.Cut(source[from:], "\n")
		from += len(line)
		if all.Len() > 0 {
			line = strings.TrimPrefix(line, goPrefix)
		}
		if more {
			from++
		}
		line = strings.TrimRight(line, "\r")
		if before, ok := strings.CutSuffix(line, `\`); ok && more {
			all.WriteString(before)
			continue
		}
		all.WriteString(line)
		return strings.TrimSpace(all.String()), from
	}
}

// statementEnd is where the line after the statement begins that begins at from, on the line
// that ends at end.
func statementEnd(source string, from, end int) int {
	stop := len(source)
	starts(source, from, func(at, _ int) bool {
		if at >= end {
			stop = at
			return true
		}
		return false
	})
	if !hasTokens(source[from:end]) {
		return end
	}
	return stop
}

// isGo tells the Go expression !done from the command !ls: every name in it is known, or stands
// in the cell before it.
func isGo(before, text string, known func(string) bool) bool {
	x, err := parser.ParseExpr("!" + text)
	if err != nil {
		return false
	}
	names, selected := 0, map[*ast.Ident]bool{}
	all := true
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			selected[n.Sel] = true
		case *ast.FuncLit:
			names++
			return false
		case *ast.Ident:
			if !selected[n] {
				names++
				all = all && (known(n.Name) || mentions(before, n.Name))
			}
		}
		return true
	})
	return all && names > 0
}

// mentions says whether a name stands in Go.
func mentions(source, name string) bool {
	var sc scanner.Scanner
	sc.Init(token.NewFileSet().AddFile("", -1, len(source)), []byte(source), func(token.Position, string) {}, 0)
	for {
		switch _, tok, lit := sc.Scan(); {
		case tok == token.EOF:
			return false
		case tok == token.IDENT && lit == name:
			return true
		}
	}
}
