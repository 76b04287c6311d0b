// Package check tells learners whether an answer is right, with a hint where it is not, and
// never with the answer. In a notebook it is there without an import:
//
//	check.Question("1b", 2,
//		check.Close("the width of the margin", width, 2/ref.Norm(), 1e-6, "From f = -1 to f = +1 there are two half margins."),
//		check.True("it is more than nothing", width > 0, "A width is a length."))
//
// Question shows ✓ or ✗ for each check. If one does not hold, the cell fails, so that graders that
// run notebooks, nbgrader or gonb-svm run, count it as failed. Marks sums up.
package check

import (
	"fmt"
	"math"
	"reflect"
)

// Result is what came of one check.
type Result struct {
	What  string // is checked, in a few words: "the width of the margin"
	Holds bool
	Got   string // what the learner's value looks like; "" if that says nothing
	Hint  string // how to go on; shown where the check does not hold
}

// True checks a condition.
func True(what string, holds bool, hint string) Result {
	return Result{What: what, Holds: holds, Hint: hint}
}

// Equal checks that two values are the same, in their types too. Slices, maps and structs are
// compared with all that is in them; an empty slice or map is the same as a nil one.
func Equal(what string, got, want any, hint string) Result {
	r := Result{What: what, Hint: hint}
	sameType := reflect.TypeOf(got) == reflect.TypeOf(want)
	switch n, m := length(got), length(want); {
	case !sameType:
		r.Got = fmt.Sprintf("yours is of type %T, not %T", got, want)
	case n != m:
		r.Got = fmt.Sprintf("yours has %d elements, not %d", n, m)
	case n == 0 || reflect.DeepEqual(got, want):
		r.Holds = true
	default:
		r.Got = "yours is " + short(got)
	}
	return r
}

// Close checks that numbers differ by at most tolerance·max(1, |want|). got and want are numbers of
// any type, or slices of them, or slices of such slices.
func Close(what string, got, want any, tolerance float64, hint string) Result {
	r := Result{What: what, Hint: hint}
	r.Got = differs(reflect.ValueOf(got), reflect.ValueOf(want), tolerance, "yours")
	r.Holds = r.Got == ""
	return r
}

// differs says in what got is not close to want, "" if it is.
func differs(got, want reflect.Value, tolerance float64, name string) string {
	if !got.IsValid() || !want.IsValid() {
		return name + " is nil"
	}
	if x, ok := float(want); ok {
		y, ok := float(got)
		if !ok {
			return fmt.Sprintf("%s is of type %v, not a number", name, got.Type())
		}
		if y == x || math.Abs(y-x) <= tolerance*max(1, math.Abs(x)) {
			return ""
		}
		return fmt.Sprintf("%s is %.6g", name, y)
	}
	if want.Kind() != reflect.Slice || got.Kind() != reflect.Slice {
		return fmt.Sprintf("%s is of type %v, not %v", name, got.Type(), want.Type())
	}
	if got.Len() != want.Len() {
		return fmt.Sprintf("%s has %d elements, not %d", name, got.Len(), want.Len())
	}
	for i := range want.Len() {
		if text := differs(got.Index(i), want.Index(i), tolerance, fmt.Sprintf("%s[%d]", name, i)); text != "" {
			return text
		}
	}
	return ""
}

// float is a number of any type.
func float(v reflect.Value) (float64, bool) {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	switch {
	case v.CanFloat():
		return v.Float(), true
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	}
	return 0, false
}

// length is that of what has one, -1 for the rest.
func length(v any) int {
	switch x := reflect.ValueOf(v); x.Kind() {
	case reflect.Slice, reflect.Map, reflect.String, reflect.Array:
		return x.Len()
	}
	return -1
}

// longest is how many letters of a value are shown.
const longest = 120

func short(v any) string {
	text := []rune(fmt.Sprint(v))
	if len(text) > longest {
		return string(text[:longest]) + "…"
	}
	return string(text)
}
