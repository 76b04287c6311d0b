package main

import (
	"fmt"
	"strings"
)

type kind int

const (
	word kind = iota
	number
	punct
)

func (k kind) String() string { return [...]string{"word", "number", "punct"}[k] }

type token struct {
	k kind
	s string
}

type lexer struct {
	in  string
	pos int
	out chan token
}

func (l *lexer) emit(k kind, from int) { l.out <- token{k, l.in[from:l.pos]} }
func (l *lexer) next() (byte, bool) {
	if l.pos < len(l.in) {
		l.pos++
		return l.in[l.pos-1], true
	}
	return 0, false
}

type state func(*lexer) state

func run(l *lexer, s state) {
	for s != nil {
		s = s(l)
	}
	close(l.out)
}

var start state

func lexWord(l *lexer) state {
	from := l.pos - 1
	for c, ok := l.next(); ok; c, ok = l.next() {
		if !(c >= 'a' && c <= 'z') {
			l.pos--
			break
		}
	}
	l.emit(word, from)
	return start
}
func lexNumber(l *lexer) state {
	from := l.pos - 1
	for l.pos < len(l.in) && strings.ContainsRune("0123456789.", rune(l.in[l.pos])) {
		l.pos++
	}
	l.emit(number, from)
	return start
}
func lexStart(l *lexer) state {
	c, ok := l.next()
	switch {
	case !ok:
		return nil
	case c == ' ':
		return start
	case c >= 'a' && c <= 'z':
		return lexWord
	case c >= '0' && c <= '9':
		return lexNumber
	}
	l.emit(punct, l.pos-1)
	return start
}
func main() {
	start = lexStart
	l := &lexer{in: "sum = 3.14*x1 + (foo)", out: make(chan token)}
	go run(l, start)
	counts := map[kind]int{}
	for t := range l.out {
		fmt.Printf("%v:%s ", t.k, t.s)
		counts[t.k]++
	}
	fmt.Println()
	fmt.Println(counts, token{number, "1"})
}
