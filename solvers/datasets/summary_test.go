package datasets

import (
	"encoding/xml"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
)

func dense(t *testing.T, x [][]float64, y ...float64) *Dataset {
	t.Helper()
	d, err := FromDense(x, y)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDatasetString(t *testing.T) {
	ones := func(n int) [][]float64 { return slices.Repeat([][]float64{{1}}, n) }
	for _, c := range []struct {
		d    *Dataset
		want string
	}{
		{dense(t, [][]float64{{1, 0}, {0, 2}, {3, 4}}, 0, 1, 1), "dense: 3 rows × 2 features, 67% nonzero, 67% +1"},
		{dense(t, ones(3), 4, 5, 6), "dense: 3 rows × 1 features, 100% nonzero, 3 classes"},
		{dense(t, ones(2), 1, 1), "dense: 2 rows × 1 features, 100% nonzero, 100% +1"},
		{dense(t, ones(2), -1, -1), "dense: 2 rows × 1 features, 100% nonzero, 0% +1"},
		{dense(t, ones(2), 7, 7), "dense: 2 rows × 1 features, 100% nonzero, one class (7)"},
		{dense(t, [][]float64{{0}}, 1), "dense: 1 rows × 1 features, 0% nonzero, 100% +1"},
		{dense(t, ones(1000), append(slices.Repeat([]float64{-1}, 903), slices.Repeat([]float64{1}, 97)...)...), "dense: 1000 rows × 1 features, 100% nonzero, 9.7% +1"},
		{dense(t, ones(2000), append(slices.Repeat([]float64{-1}, 1999), 1)...), "dense: 2000 rows × 1 features, 100% nonzero, 0.05% +1"},
		{&Dataset{Name: "none", Dim: 3}, "none: 0 rows × 3 features, 0% nonzero, no classes"},
	} {
		if got := c.d.String(); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}

func TestCounts(t *testing.T) {
	d := dense(t, [][]float64{{1}, {2}, {3}, {4}}, 8, 3, 8, 8)
	if got, want := d.Counts(), []Count{{-1, 3, 1}, {1, 8, 3}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := d.Subset([]int{0}).Counts(), []Count{{1, 8, 1}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	d = dense(t, [][]float64{{1}, {2}, {3}}, 5, -1, 1)
	if got, want := d.Counts(), []Count{{-1, -1, 1}, {1, 1, 1}, {5, 5, 1}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// text is what a browser would show of some HTML, which must be well formed.
func text(t *testing.T, source string) string {
	t.Helper()
	var shown []string
	for decoder := xml.NewDecoder(strings.NewReader(source)); ; {
		token, err := decoder.Token()
		if err == io.EOF {
			return strings.Join(shown, "|")
		}
		if err != nil {
			t.Fatalf("%v in %s", err, source)
		}
		if data, ok := token.(xml.CharData); ok {
			shown = append(shown, string(data))
		}
	}
}

func TestDatasetHTML(t *testing.T) {
	d := dense(t, [][]float64{{1, 0}, {0, 2}, {3, 4}}, 3, 8, 8)
	d.Name = `<script>alert("&")</script>`
	if strings.Contains(d.HTML(), "<script") {
		t.Errorf("the name is not escaped: %s", d.HTML())
	}
	want := `Data set|<script>alert("&")</script>|Rows|3|Features|2|Nonzero|67%|Class -1 (label 3)|1 (33%)|Class +1 (label 8)|2 (67%)`
	if got := text(t, d.HTML()); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	many := dense(t, slices.Repeat([][]float64{{1}}, 12), upTo(12)...)
	if got := text(t, many.HTML()); !strings.Contains(got, "Class 10|1 (8.3%)|…|2 more classes") || strings.Contains(got, "Class 11") {
		t.Error(got)
	}
	if got := text(t, (&Dataset{Name: "none"}).HTML()); got != "Data set|none|Rows|0|Features|0|Nonzero|0%" {
		t.Error(got)
	}
}

func TestValidate(t *testing.T) {
	good := func() *Dataset {
		return &Dataset{Name: "d", Dim: 3, X: []Vector{{}, {[]int32{0, 2}, []float64{1, 2}}}, Y: []float64{-1, 1}, Labels: []float64{-1, 1}}
	}
	if err := good().Validate(); err != nil {
		t.Fatal(err)
	}
	if err := (&Dataset{}).Validate(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		spoil func(*Dataset)
		want  string
	}{
		{func(d *Dataset) { d.Y = d.Y[:1] }, "d: 2 rows but 1 labels: want one label per row"},
		{func(d *Dataset) { d.Y[0] = math.NaN() }, "d: label of row 0 is NaN: want a finite number"},
		{func(d *Dataset) { d.X[1].Value = d.X[1].Value[:1] }, "d: row 1: 2 indices but 1 values: want one value per index"},
		{func(d *Dataset) { d.X[1].Index[0] = -1 }, "d: row 1: index -1: want 0 to 2, below Dim"},
		{func(d *Dataset) { d.X[1].Index[1] = 3 }, "d: row 1: index 3: want 0 to 2, below Dim"},
		{func(d *Dataset) { d.X[1].Index[0] = 2 }, "d: row 1: index 2 after 2: indices must increase"},
		{func(d *Dataset) { d.X[1].Value[1] = math.Inf(-1) }, "d: row 1: value -Inf of index 2: want a finite number"},
		{func(d *Dataset) { d.Labels = []float64{1, -1} }, "d: Labels are [1 -1]: want them ascending"},
	} {
		d := good()
		c.spoil(d)
		if err := d.Validate(); err == nil || err.Error() != c.want {
			t.Errorf("%v\nwant %s", err, c.want)
		}
	}
}
