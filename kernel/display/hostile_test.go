package display

import (
	"errors"
	"fmt"
	"image"
	"math"
	"strings"
	"testing"
	"time"
)

// Whatever a value holds, its display is short, has text, and has no markup but ours.
func TestHostileValues(t *testing.T) {
	script := `<script>alert("&")</script>`
	type row struct {
		Name  string
		Value float64
		Any   any
	}
	rows := make([][]float64, 1_000_000)
	for i := range rows {
		rows[i] = []float64{float64(i), math.NaN()}
	}
	keyed := map[string]int{}
	for i := range 200_000 {
		keyed[fmt.Sprint("<b>", i)] = i
	}
	var nilPointer *row
	self, ring := map[string]any{}, make([]any, 1)
	self["self"], ring[0] = self, ring
	type node struct {
		Next *node
		Any  any
	}
	knot := &node{}
	knot.Next, knot.Any = knot, []any{knot, self}
	cases := map[string]any{
		"script": script, "rows": []row{{script, math.Inf(1), script}}, "struct": row{script, math.NaN(), errors.New(script)},
		"map": map[string]string{script: script}, "error": errors.New(script), "huge cell": []row{{strings.Repeat(script, 10000), 0, nil}},
		"huge text": strings.Repeat("é<b>", 1_000_000), "million rows": rows, "large map": keyed, "numbers": make([]int, 3_000_000),
		"empty": []float64{}, "no rows": [][]float64{}, "empty rows": [][]float64{{}, nil}, "nil rows": []*row{nil, nil}, "nil map": map[string]int(nil),
		"nil": nil, "nil pointer": nilPointer, "wide": [][]float64{make([]float64, 1_000_000)}, "invalid": "\xff\xfe\x00\x1b[31m",
		"image": image.NewGray(image.Rect(0, 0, 9000, 9000)), "no image": image.NewGray(image.Rectangle{}), "function": func() {}, "channel": make(chan int),
		"time": time.Unix(0, 0), "slice of anything": []any{script, nil, math.NaN(), rows[:5]}, "numbers that are none": []float64{math.NaN(), math.Inf(-1)},
		"empty matrix": fakeMatrix{0, 0}, "broken": broken{},
		"map in itself": self, "slice in itself": ring, "knot": knot, "knots": []*node{knot, nil}, "rows of knots": [][]any{ring, {self}},
	}
	checked := 0
	for name, value := range cases {
		b := Of(value, "")
		data, _ := b.Encoded()
		text, ok := data["text/plain"].(string)
		if !ok || text == "" && value != "" {
			t.Errorf("%s: no text", name)
		}
		if len(text) > maxText+40 {
			t.Errorf("%s: %d bytes of text", name, len(text))
		}
		markup, _ := data["text/html"].(string)
		if strings.Contains(markup, "<script") || strings.Contains(markup, "<b>") || len(markup) > 200_000 {
			t.Errorf("%s: %d bytes of HTML: %.300s", name, len(markup), markup)
		}
		if picture, _ := data["image/png"].(string); len(picture) > 8<<20 {
			t.Errorf("%s: a picture of %d bytes", name, len(picture))
		}
		checked++
	}
	if checked < 20 {
		t.Fatalf("only %d values", checked)
	}
	for name, want := range map[string]string{
		"million rows": "1000000 rows × 2 columns, the first 20 × 2 shown", "large map": "200000 rows × 2 columns",
		"numbers": "0 … 0 0 0 0 0] (3000000 elements)", "struct": "NaN",
	} {
		b := Of(cases[name], "")
		if text := fmt.Sprint(b.Data["text/plain"]); !strings.Contains(text, want) || len(text) > 8000 {
			t.Errorf("%s: %d bytes: %.300s", name, len(text), text)
		}
	}
}
