package engine

import (
	"regexp"
	"strings"
)

// hints are what usually helps, by a part of the compiler's message.
var hints = []struct{ part, text string }{
	{"declared and not used", "remove the variable, or assign it to _"},
	{"(untyped string constant) as int", "a string is not converted by itself: use strconv.Atoi"},
	{"(untyped string constant) as float64", "leave the quotation marks out, or use strconv.ParseFloat"},
	{"(untyped string constant) to type int", "use strconv.Atoi"},
	{"(untyped string constant) to type float64", "use strconv.ParseFloat"},
	{"constant) to type string", "fmt.Sprint makes text of any value"},
	{"mismatched types int and float64", "convert one side: float64(n) or int(x)"},
	{"mismatched types float64 and int", "convert one side: float64(n) or int(x)"},
	{"untyped string)", "fmt.Sprint makes text of a number, strings.Repeat repeats a text"},
	{"could not import C ", "cells cannot have cgo: run a program with os/exec or !COMMAND"},
	{"is not available: this program", "only packages that are built in can be imported; list them with completion after import"},
	{"no new variables on left side of :=", "assign with = instead"},
	{"missing return", "every path through the function must end in return or panic"},
	{"is not used", "assign the value, or make it the last line of the cell to see it"},
	{"cannot use nil as", "nil is a value of pointers, slices, maps, channels, functions and interfaces only"},
	{"(type untyped nil)", "give the variable a type: var x *T"},
	{"missing method", "the type needs that method; a method with a pointer receiver belongs to *T, so pass &x"},
	{"method has pointer receiver", "pass a pointer: &x"},
	{"assignment mismatch", "a call with several results needs as many variables; use _ for those not wanted"},
	{"for built-in len", "len is of strings, slices, arrays, maps and channels"},
	{"has no field or method append", "slices have no methods: v = append(v, x)"},
	{"has no field or method Len", "the length of a slice, map or string is len(x)"},
	{"has no field or method len", "the length of a slice, map or string is len(x)"},
	{"cannot indirect", "the power is math.Pow(x, y)"},
	{"rune literal", "text stands in double quotes: \"hello\"; single ones hold one letter"},
	{"missing import path", "the path stands in quotes, as in import \"math/rand\"; most packages need no import here"},
}

// habits are what other languages write otherwise, by the line of a syntax error or of a name that
// is not known.
var habits = []struct {
	line *regexp.Regexp
	text string
}{
	{regexp.MustCompile(`^\s*def\s`), "a function is func f(x float64) float64 { return x }"},
	{regexp.MustCompile(`\blambda\b`), "a function without a name is func(x float64) float64 { return x }"},
	{regexp.MustCompile(`^\s*while\b`), "a loop with a condition is for x < 3 { … }"},
	{regexp.MustCompile(`^\s*class\s`), "a type is type T struct { … }, its methods func (t *T) M() { … }"},
	{regexp.MustCompile(`^\s*let\s`), "a variable is declared by x := 3"},
	{regexp.MustCompile(`^\s*try\b`), "errors are values: x, err := f(); if err != nil { … }"},
	{regexp.MustCompile(`^\s*for\s+.*\bin\b`), "a loop over values is for _, x := range xs { … }"},
	{regexp.MustCompile(`^\s*print\s+\S`), "print with fmt.Println(…)"},
	{regexp.MustCompile(`\bif\b.*\belse\b[^{]*$`), "there is no conditional expression: if … { x = 1 } else { x = 2 }"},
	{regexp.MustCompile(`^\s*\[.*,.*\]\s*$`), "a list is []int{1, 2, 3} or []float64{…}"},
	{regexp.MustCompile(`=\s*\[[^\]]*,.*\]\s*$`), "a list is []int{1, 2, 3} or []float64{…}"},
	{regexp.MustCompile(`(\+\+|--)\s*\S`), "x++ is a statement of its own and no value"},
	{regexp.MustCompile(`\w\s*\*\*\s*\w`), "the power is math.Pow(x, y)"},
}

// assigned matches the assignment to variables that begins a line.
var assigned = regexp.MustCompile(`^\s*([\pL_][\pL\pN_]*)(\s*,\s*[\pL_][\pL\pN_]*)*\s*=[^=]`)

// hint is what may help with a message about a line of a cell.
func hint(text, line string) string {
	for _, h := range hints {
		if strings.Contains(text, h.part) {
			return h.text
		}
	}
	undefined, ok := strings.CutPrefix(text, "undefined: ")
	if !ok && !strings.HasPrefix(text, "expected ") && !strings.HasPrefix(text, "unexpected ") {
		return ""
	}
	for _, h := range habits {
		if h.line.MatchString(line) {
			return h.text
		}
	}
	if ok && assigned.MatchString(line) && strings.Contains(line[:strings.IndexByte(line, '=')], undefined) {
		return "a new variable is declared with :="
	}
	if strings.HasPrefix(text, "expected '}', found 'EOF'") {
		return "a { has no }"
	}
	return ""
}
