// Package split cuts the source of a cell at its top-level boundaries, where declarations and
// statements may mix as Go files do not allow.
package split

import (
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"
)

// Part is one top-level declaration or statement: Source[Start:End] of the cell.
type Part struct {
	Start, End int
	First      token.Token // the part's first token
	Method     bool        // func (receiver) name
	Literal    bool        // an expression that begins with a function literal
}

// Cell cuts a cell into its parts. A cell that is not complete gives a last part that reaches to
// its end.
func Cell(src string) []Part {
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(src))
	var s scanner.Scanner
	s.Init(file, []byte(src), nil, 0)
	var parts []Part
	var c cutter
	c.start = -1
	for {
		pos, tok, lit := s.Scan()
		at := file.Offset(pos)
		if tok == token.EOF {
			if c.start >= 0 {
				parts = append(parts, c.part(len(src)))
			}
			return parts
		}
		if c.start < 0 {
			if tok == token.SEMICOLON {
				continue
			}
			c = cutter{start: at, first: tok}
		}
		c.tokens++
		if c.tokens == 2 && c.first == token.FUNC && tok == token.LPAREN {
			c.parenthesis = true
		}
		if tok == token.SEMICOLON && c.depth == 0 && !c.header && c.ends(src[c.start:min(at, len(src))]) {
			end := at
			if lit != "\n" || at > len(src) {
				end = min(at, len(src))
			}
			parts = append(parts, c.part(end))
			c.start = -1
			continue
		}
		c.take(tok)
	}
}

// cutter follows the brackets of one part.
type cutter struct {
	start  int
	first  token.Token
	tokens int
	depth  int
	header bool // between if, for, switch and its block, where ; does not end the statement

	control bool // has had a header; a brace in it may be a literal's, as in if f := func() {}; true {}
	tries   int  // how often it did not parse at a ; after a brace

	parenthesis bool // func (
	closed      int  // tokens seen when that parenthesis was closed
	named       bool // a name follows it
}

func (c *cutter) take(tok token.Token) {
	if c.parenthesis && c.closed > 0 && c.tokens == c.closed+1 {
		c.named = tok == token.IDENT
	}
	if c.named && c.closed > 0 && c.tokens == c.closed+2 && tok != token.LPAREN {
		c.named = false // func () T {…}()
	}
	switch tok {
	case token.FOR, token.IF, token.SWITCH:
		c.header = c.header || c.depth == 0
		c.control = c.control || c.header
	case token.LPAREN, token.LBRACE, token.LBRACK:
		if tok == token.LBRACE && c.depth == 0 {
			c.header = false
		}
		c.depth++
	case token.RPAREN, token.RBRACE, token.RBRACK:
		c.depth--
		if c.parenthesis && c.depth == 0 && c.closed == 0 && tok == token.RPAREN {
			c.closed = c.tokens
		}
	}
}

// mostTries bounds the work on text that never parses.
const mostTries = 20

// ends tells whether a ; after text, which has no open brackets, ends the part.
func (c *cutter) ends(text string) bool {
	if !c.control || c.tries >= mostTries || isStatement(text) {
		return true
	}
	c.tries++
	return false
}

func (c *cutter) part(end int) Part {
	return Part{Start: c.start, End: end, First: c.first, Method: c.parenthesis && c.named, Literal: c.first == token.FUNC && c.parenthesis && !c.named}
}

// Declaration tells a part that may stand in a Go file as it is.
func (p Part) Declaration() bool {
	switch p.First {
	case token.IMPORT, token.TYPE, token.VAR, token.CONST:
		return true
	case token.FUNC:
		return !p.Literal
	}
	return false
}

// State is what a front end wants to know of a source before it sends it.
type State int

// The states of a source.
const (
	Complete   State = iota // it can be run
	Incomplete              // more lines are expected
	Invalid                 // no further line can make it right
)

// Completeness tells whether source is complete, and the indentation of a next line.
func Completeness(source string) (State, string) {
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(source))
	var s scanner.Scanner
	open := false
	s.Init(file, []byte(source), func(_ token.Position, msg string) {
		if strings.Contains(msg, "not terminated") && !strings.Contains(msg, "rune") && strings.Contains(msg, "raw string") || strings.Contains(msg, "comment not terminated") {
			open = true
		}
	}, 0)
	var stack []token.Token
	last := token.ILLEGAL
	for {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		switch tok {
		case token.LPAREN, token.LBRACE, token.LBRACK:
			stack = append(stack, tok)
		case token.RPAREN, token.RBRACE, token.RBRACK:
			if len(stack) == 0 || stack[len(stack)-1] != opening[tok] {
				return Invalid, ""
			}
			stack = stack[:len(stack)-1]
		}
		if tok != token.SEMICOLON || lit != "\n" {
			last = tok
		}
	}
	if open {
		return Incomplete, ""
	}
	if len(stack) > 0 || last.IsOperator() && continues[last] {
		return Incomplete, strings.Repeat("\t", max(len(stack), 1))
	}
	if !parses(source) {
		return Invalid, ""
	}
	return Complete, ""
}

// parses tells whether every part of source is a declaration or statement.
func parses(source string) bool {
	for _, p := range Cell(source) {
		text := source[p.Start:p.End]
		switch {
		case p.First == token.PACKAGE:
			continue
		case p.Declaration():
			text = "package main;" + text
		default:
			if !isStatement(text) {
				return false
			}
			continue
		}
		if _, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution); err != nil {
			return false
		}
	}
	return true
}

// isStatement tells text that parses as statements.
func isStatement(text string) bool {
	_, err := parser.ParseFile(token.NewFileSet(), "", "package main;func _() {"+text+"\n}", parser.SkipObjectResolution)
	return err == nil
}

var opening = map[token.Token]token.Token{token.RPAREN: token.LPAREN, token.RBRACE: token.LBRACE, token.RBRACK: token.LBRACK}

// continues are the operators after which a line cannot end a statement.
var continues = map[token.Token]bool{
	token.ADD: true, token.SUB: true, token.MUL: true, token.QUO: true, token.REM: true, token.AND: true, token.OR: true, token.XOR: true,
	token.SHL: true, token.SHR: true, token.AND_NOT: true, token.LAND: true, token.LOR: true, token.ARROW: true, token.EQL: true, token.LSS: true,
	token.GTR: true, token.NEQ: true, token.LEQ: true, token.GEQ: true, token.ASSIGN: true, token.DEFINE: true, token.COMMA: true, token.PERIOD: true, token.NOT: true,
	token.ADD_ASSIGN: true, token.SUB_ASSIGN: true, token.MUL_ASSIGN: true, token.QUO_ASSIGN: true,
}
