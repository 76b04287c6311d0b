package plotting_test

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot"

	"github.com/gonb-svm/gonb-svm/plotting"
	"github.com/gonb-svm/gonb-svm/solvers"
)

var regen = flag.Bool("regen", false, "rewrite the golden pictures")

// The pictures are compared by their structure: the same elements, texts and styles, and
// numbers and pixels that differ no more than rounding makes them.
func TestGolden(t *testing.T) {
	d := twoFeatures(120)
	m := discModel()
	cases := []struct {
		name string
		draw func() (*plot.Plot, error)
	}{
		{"tradeoff", func() (*plot.Plot, error) {
			return plotting.Tradeoff(fallingPath("ISSVM basic", 30, 1, 3000, 0.014, 7, 1),
				fallingPath("ISSVM aggressive", 40, 1, 1200, 0.013, 9, 2))
		}},
		{"tradeoff_five", func() (*plot.Plot, error) {
			return plotting.Tradeoff(fallingPath("ISSVM", 25, 1, 30, 0.014, 1, 1), fallingPath("ISSVM", 25, 1, 30, 0.1, 3, 1),
				fallingPath("SASSO", 215, 1, 90, 0.05, 3, 3), fallingPath("BudgetSVM", 25, 1, 50000, 0.05, 1, 4),
				fallingPath("MinimalSVM", 25, 3, 5000, 0.08, 2, 5))
		}},
		{"convergence", func() (*plot.Plot, error) { return plotting.Convergence(fallingTrace(300, 4), fallingTrace(90, 9)) }},
		{"boundary", func() (*plot.Plot, error) { return plotting.Boundary(m, d) }},
		{"margins", func() (*plot.Plot, error) { return plotting.Margins(m, d) }},
		{"images", func() (*plot.Plot, error) { return plotting.Rows(glyphs(), 0, 5, 7) }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p, err := c.draw()
			if err != nil {
				t.Fatal(err)
			}
			got, err := plotting.SVG(p, 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", c.name+"_golden.svg")
			if *regen {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			compared, err := samePicture(got, want)
			if err != nil {
				t.Error(err)
			}
			if compared < 40 {
				t.Errorf("only %d parts were compared", compared)
			}
		})
	}
}

func TestSamePictureSeesDifferences(t *testing.T) {
	one := `<svg><path d="M1,2" style="fill:#fff"/><text>a</text></svg>`
	for _, other := range []string{
		`<svg><path d="M1,2.9" style="fill:#fff"/><text>a</text></svg>`,
		`<svg><path d="L1,2" style="fill:#fff"/><text>a</text></svg>`,
		`<svg><path d="M1,2" style="fill:#eee"/><text>a</text></svg>`,
		`<svg><path d="M1,2" style="fill:#fff"/><text>b</text></svg>`,
		`<svg><path d="M1,2" style="fill:#fff"/></svg>`,
		`<svg><path d="M1,2"`,
	} {
		if _, err := samePicture([]byte(other), []byte(one)); err == nil {
			t.Errorf("%s and %s count as the same", one, other)
		}
	}
	if n, err := samePicture([]byte(`<svg><path d="M1.001,2"/></svg>`), []byte(`<svg><path d="M1,2"/></svg>`)); err != nil || n == 0 {
		t.Errorf("rounding: %d parts, %v", n, err)
	}
}

// samePicture compares two SVG documents and says how many parts it compared.
func samePicture(got, want []byte) (compared int, err error) {
	a, err := parts(got)
	if err != nil {
		return 0, err
	}
	b, err := parts(want)
	if err != nil {
		return 0, err
	}
	for i := range min(len(a), len(b)) {
		if err := samePart(a[i], b[i]); err != nil {
			return compared, fmt.Errorf("part %d: %w", i, err)
		}
		compared++
	}
	if len(a) != len(b) {
		return compared, fmt.Errorf("%d parts, want %d", len(a), len(b))
	}
	return compared, nil
}

// parts are an SVG document's elements, attributes and texts in order.
func parts(document []byte) ([]string, error) {
	var all []string
	decoder := xml.NewDecoder(bytes.NewReader(document))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			all = append(all, "<"+token.Name.Local)
			for _, a := range token.Attr {
				all = append(all, a.Name.Local+"="+a.Value)
			}
		case xml.EndElement:
			all = append(all, "</"+token.Name.Local)
		case xml.CharData:
			if text := strings.TrimSpace(string(token)); text != "" {
				all = append(all, text)
			}
		}
	}
}

var numbers = regexp.MustCompile(`[-+]?[0-9]*\.?[0-9]+(e[-+]?[0-9]+)?`)

func samePart(got, want string) error {
	const prefix = "href=data:image/png;base64,"
	if strings.HasPrefix(got, prefix) && strings.HasPrefix(want, prefix) {
		return sameImage(got[len(prefix):], want[len(prefix):])
	}
	if strings.HasPrefix(got, "style=") {
		if got != want {
			return fmt.Errorf("%q, want %q", got, want)
		}
		return nil
	}
	if a, b := numbers.ReplaceAllString(got, "#"), numbers.ReplaceAllString(want, "#"); a != b {
		return fmt.Errorf("%q, want %q", got, want)
	}
	a, b := numbers.FindAllString(got, -1), numbers.FindAllString(want, -1)
	for i := range a {
		x, _ := strconv.ParseFloat(a[i], 64)
		y, _ := strconv.ParseFloat(b[i], 64)
		if math.Abs(x-y) > 0.02 {
			return fmt.Errorf("%s in %.60q, want %s", a[i], got, b[i])
		}
	}
	return nil
}

func sameImage(got, want string) error {
	a, err := decoded(got)
	if err != nil {
		return err
	}
	b, err := decoded(want)
	if err != nil {
		return err
	}
	if a.Bounds() != b.Bounds() {
		return fmt.Errorf("an image of %v, want %v", a.Bounds(), b.Bounds())
	}
	different, size := 0, a.Bounds().Size()
	for y := range size.Y {
		for x := range size.X {
			r, g, bl, _ := a.At(x, y).RGBA()
			r2, g2, bl2, _ := b.At(x, y).RGBA()
			if r != r2 || g != g2 || bl != bl2 {
				different++
			}
		}
	}
	if different > size.X*size.Y/500 { // rounding may move the steps of a surface
		return fmt.Errorf("%d of %d pixels differ", different, size.X*size.Y)
	}
	return nil
}

func decoded(s string) (image.Image, error) {
	raw, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return nil, err
	}
	return png.Decode(bytes.NewReader(raw))
}

// discModel decides f(x) = 4·exp(-‖x‖²) - 1.2.
func discModel() *solvers.Model {
	at := solvers.Vector{}
	return &solvers.Model{Kernel: solvers.RBF{Gamma: 1}, SupportVectors: []solvers.Vector{at}, Coefficients: []float64{4}, Bias: -1.2}
}

func fallingTrace(n int, rate float64) *solvers.Result {
	r := &solvers.Result{Model: discModel(), Solver: solvers.SMO{}}
	for i := range n {
		r.Trace = append(r.Trace, solvers.Progress{Iteration: i, Gap: 2 * math.Exp(-rate*float64(i)/100)})
	}
	return r
}

// glyphs are four letters of 5×7 pixels in two classes.
func glyphs() *solvers.Dataset {
	letters := []string{
		"####.....#....#.###.....#....#####.",
		".###.#...##...#.###.#...##...#.###.",
		".###.....#....#..##.....#....#.##..",
		".##..#..#.#..#..##..#..#.#..#..##..",
	}
	d := &solvers.Dataset{Name: "glyphs", Dim: 35, Labels: []float64{3, 8}}
	for i, letter := range letters {
		var x solvers.Vector
		for j, c := range letter {
			if c == '#' {
				x.Index, x.Value = append(x.Index, int32(j)), append(x.Value, 1-0.2*float64(i%2))
			}
		}
		d.X, d.Y = append(d.X, x), append(d.Y, float64(2*(i%2)-1))
	}
	return d
}
