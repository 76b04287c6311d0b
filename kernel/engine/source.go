package engine

import (
	"go/token"
	"go/types"
	"strings"

	"github.com/gonb-svm/gonb-svm/kernel/engine/internal/split"
)

// Definition is the source of what a cell declared: the statement or declaration, with the comment
// above it, and the name of the cell. ok is false for names that no cell has declared. For a type
// the methods of the same cells follow.
func (e *Engine) Definition(name string) (source, cell string, ok bool) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	if d := e.state.declarations[name]; d != nil {
		source, cell, ok = e.partAt(d.decl.Pos())
	} else if o, known := e.state.scope[name]; known {
		source, cell, ok = e.partAt(o.Pos())
	}
	if !ok {
		return "", "", false
	}
	if _, isType := e.state.scope[name].(*types.TypeName); isType {
		for _, key := range e.state.order {
			if d := e.state.declarations[key]; d != nil && strings.HasPrefix(key, name+".") {
				if method, _, found := e.partAt(d.decl.Pos()); found && !strings.Contains(source, method) {
					source += "\n\n" + method
				}
			}
		}
	}
	return source, cell, true
}

// partAt is the top-level statement or declaration of a cell at a position, with the comment above.
func (e *Engine) partAt(pos token.Pos) (source, cell string, ok bool) {
	p := e.fset.Position(pos)
	text, known := e.cells[p.Filename]
	if !known || p.Line < 1 {
		return "", "", false
	}
	lines := newLines(text)
	if p.Line > len(lines) {
		return "", "", false
	}
	at := lines[p.Line-1] + p.Column - 1
	for _, part := range split.Cell(text) {
		if part.Start <= at && at < part.End {
			source = strings.TrimRight(text[part.Start:part.End], " \t\r\n;")
			if doc := docAbove(text, part.Start); doc != "" {
				source = "// " + strings.ReplaceAll(doc, "\n", "\n// ") + "\n" + source
			}
			return source, p.Filename, true
		}
	}
	return "", "", false
}
