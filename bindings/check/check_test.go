package check

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/gonb-svm/gonb-svm/kernel/display"
)

func TestClose(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		got, want any
		text      string // what is said of got; "": it is close
	}{
		{2.0, 2.0000001, ""},
		{2, 2.0, ""},
		{uint8(2), 2, ""},
		{float32(0.5), 0.5, ""},
		{1e9 + 1, 1e9, ""},
		{math.Inf(1), math.Inf(1), ""},
		{[]float64{1, 2}, []float64{1, 2}, ""},
		{[][]float64{{1}, {2, 3}}, [][]float64{{1}, {2, 3}}, ""},
		{[]any{1, 2.0}, []float64{1, 2}, ""},
		{[]float64{}, []float64(nil), ""},
		{2.1, 2.0, "yours is 2.1"},
		{nan, 2.0, "yours is NaN"},
		{nan, nan, "yours is NaN"},
		{math.Inf(1), 2.0, "yours is +Inf"},
		{"2", 2.0, "yours is of type string, not a number"},
		{nil, 2.0, "yours is nil"},
		{2.0, []float64{2}, "yours is of type float64, not []float64"},
		{[]float64{1}, []float64{1, 2}, "yours has 1 elements, not 2"},
		{[][]float64{{1}, {2, 4}}, [][]float64{{1}, {2, 3}}, "yours[1][1] is 4"},
		{true, true, "yours is of type bool, not bool"},
	} {
		r := Close("x", c.got, c.want, 1e-6, "h")
		if r.Got != c.text || r.Holds != (c.text == "") {
			t.Errorf("Close(%v, %v): %+v, want %q", c.got, c.want, r, c.text)
		}
	}
}

func TestEqual(t *testing.T) {
	type point struct{ X, Y int }
	for _, c := range []struct {
		got, want any
		text      string
	}{
		{3, 3, ""},
		{[]int{1, 2}, []int{1, 2}, ""},
		{[]int(nil), []int{}, ""},
		{map[string]int{"a": 1}, map[string]int{"a": 1}, ""},
		{point{1, 2}, point{1, 2}, ""},
		{nil, nil, ""},
		{point{1, 2}, point{2, 1}, "yours is {1 2}"},
		{3, 3.0, "yours is of type int, not float64"},
		{nil, 3, "yours is of type <nil>, not int"},
		{[]int{1}, []int{1, 2}, "yours has 1 elements, not 2"},
		{"ab", "ac", "yours is ab"},
		{strings.Repeat("ü", 200), strings.Repeat("u", 200), "yours has 400 elements, not 200"},
		{[]string{strings.Repeat("x", 200)}, []string{"y"}, "yours is [" + strings.Repeat("x", 119) + "…"},
	} {
		if r := Equal("x", c.got, c.want, "h"); r.Got != c.text || r.Holds != (c.text == "") {
			t.Errorf("Equal(%v, %v): %+v, want %q", c.got, c.want, r, c.text)
		}
	}
}

// shown keeps what a cell displays.
type shown struct {
	display.Output
	bundles []display.Bundle
}

func (s *shown) Display(b display.Bundle, _ string) { s.bundles = append(s.bundles, b) }

// failed is the error with which a question ended its cell.
func failed(ask func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = r.(error)
		}
	}()
	ask()
	return nil
}

func TestQuestion(t *testing.T) {
	out := &shown{}
	n := &Notebook{Output: func() display.Output { return out }}
	n.Question("1a", 2, True("it is long", true, "hint a"), Equal("count", 3, 3, "hint b"))
	err := failed(func() {
		n.Question("1b", 1, True("it is long", true, "hint a"), Equal("<count>", 4, 3, "hint & b"), True("short", false, ""))
	})
	var yet *NotYet
	if !errors.As(err, &yet) || yet.Marks != 0 || yet.Of != 1 || err.Error() != "question 1b: <count>: yours is 4; hint: hint & b (and 1 more)" {
		t.Errorf("a wrong answer gave %v", err)
	}
	if err := failed(func() { n.Question("1c", 1) }); err == nil || errors.As(err, &yet) && yet.Question == "1c" {
		t.Errorf("a question without checks gave %v", err)
	}
	want := []string{
		"✓ Question 1a: 2 of 2 marks\n  ✓ it is long\n  ✓ count",
		"✗ Question 1b: 0 of 1 mark\n  ✓ it is long\n  ✗ <count>: yours is 4\n    Hint: hint & b\n  ✗ short",
	}
	if len(out.bundles) != len(want) {
		t.Fatalf("%d displays, want %d", len(out.bundles), len(want))
	}
	for i, b := range out.bundles {
		if b.Data["text/plain"] != want[i] {
			t.Errorf("shown as text:\n%s\nwant:\n%s", b.Data["text/plain"], want[i])
		}
		page := b.Data["text/html"].(string)
		if strings.Contains(page, "hint a") || strings.Contains(page, "<count>") || strings.Count(page, "✓") != []int{3, 1}[i] {
			t.Errorf("shown as HTML: %s", page)
		}
	}
	if page := out.bundles[1].Data["text/html"].(string); !strings.Contains(page, "&lt;count&gt;: yours is 4") || !strings.Contains(page, "Hint: hint &amp; b") {
		t.Errorf("shown as HTML: %s", page)
	}
	if got, want := n.Marks(5).String(), "✓ Question 1a: 2 of 2 marks\n✗ Question 1b: 0 of 1 mark\n2 of 5 marks"; got != want {
		t.Errorf("marks\n%s\nwant\n%s", got, want)
	}
	n.Question("1b", 1, Equal("count", 3, 3, ""))
	if s := n.Marks(5); s.Earned() != 3 || len(s.Answers) != 2 || !strings.Contains(s.HTML(), "<b>3 of 5 marks</b>") {
		t.Errorf("after a better answer: %v", s)
	}
}

func TestOutsideNotebook(t *testing.T) {
	if err := failed(func() { Question("1a", 1, True("x", false, "")) }); err == nil {
		t.Error("a wrong answer gave no error")
	}
	if got := Marks(3).String(); got != "0 of 3 marks" {
		t.Errorf("marks %q", got)
	}
}
