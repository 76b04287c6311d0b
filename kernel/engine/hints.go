package engine

import "strings"

// hints are what usually helps, by a part of the compiler's message.
var hints = []struct{ part, text string }{
	{"declared and not used", "remove the variable, or assign it to _"},
	{"(untyped string constant) as int", "a string is not converted by itself: use strconv.Atoi"},
	{"mismatched types int and float64", "convert one side: float64(n) or int(x)"},
	{"mismatched types float64 and int", "convert one side: float64(n) or int(x)"},
	{"is not available: this program", "only packages that are built in can be imported; list them with completion after import"},
	{"no new variables on left side of :=", "assign with = instead"},
	{"missing return", "every path through the function must end in return or panic"},
	{"is not used", "assign the value, or make it the last line of the cell to see it"},
	{"cannot use nil as", "nil is a value of pointers, slices, maps, channels, functions and interfaces only"},
	{"(type untyped nil)", "give the variable a type: var x *T"},
	{"missing method", "the type needs that method; a method with a pointer receiver belongs to *T, so pass &x"},
	{"method has pointer receiver", "pass a pointer: &x"},
	{"assignment mismatch", "a call with several results needs as many variables; use _ for those not wanted"},
}

func hint(text string) string {
	for _, h := range hints {
		if strings.Contains(text, h.part) {
			return h.text
		}
	}
	return ""
}
