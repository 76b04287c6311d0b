package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gonb-svm/gonb-svm/notebooks"
)

// position is what stands before an error in a transcript, whose cells have other numbers.
var position = regexp.MustCompile(`^In\[\d+\](, line \d+(:\d+)?)?(: )?(panic: )?`)

// TestNotebook holds that the committed notebook has the cells of the text and of the corpus, and that
// they have left in it what the corpus says.
func TestNotebook(t *testing.T) {
	const file = "../examples/interpreted-go.ipynb"
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	committed, err := notebooks.Read(f, file)
	if err != nil {
		t.Fatal(err)
	}
	cells, err := read("interpreted-go.md", "../../kernel/engine/testdata")
	if err != nil {
		t.Fatal(err)
	}
	if len(cells) != len(committed.Cells) {
		t.Fatalf("%d cells, the notebook has %d: go generate ./notebooks/interpreted", len(cells), len(committed.Cells))
	}
	compared := 0
	for i, c := range cells {
		n := committed.Cells[i]
		if diff := cmp.Diff(c.source, n.Source); diff != "" || c.code != (n.Kind == "code") || c.fails != slices.Contains(n.Tags, "raises-exception") {
			t.Errorf("cell %d is not that of the text: go generate ./notebooks/interpreted\n%s", i+1, diff)
		}
		if c.want == nil {
			continue
		}
		compared++
		out, value, failure := given(n)
		if got, want := strings.TrimRight(out, "\n"), strings.TrimRight(c.want["out"], "\n"); trimmed(got) != trimmed(want) {
			t.Errorf("cell %d printed %q, want %q", i+1, got, want)
		}
		if value != c.want["value"] {
			t.Errorf("cell %d is %q, want %q", i+1, value, c.want["value"])
		}
		if want := position.ReplaceAllString(c.want["error"], ""); !strings.Contains(failure, want) || (want == "") != (failure == "") {
			t.Errorf("cell %d failed with %q, want %q", i+1, failure, want)
		}
	}
	if compared < 20 {
		t.Errorf("%d cells of the corpus", compared)
	}
}

// given is what a cell printed, its value and its error.
func given(c *notebooks.Cell) (out, value, failure string) {
	for _, o := range c.Outputs {
		switch o.Kind {
		case "stream":
			out += o.Text
		case "error":
			failure = o.Message
		default:
			value, _ = o.Data["text/plain"].(string)
		}
	}
	return out, value, failure
}

// trimmed is text without blanks at the ends of its lines.
func trimmed(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " \t")
	}
	return strings.Join(lines, "\n")
}

func TestDirectives(t *testing.T) {
	c := corpus("../../kernel/engine/testdata")
	for _, line := range []string{"@cells language 0", "@cells language 9-3", "@cells language 9999", "@cells nosuch 1", "@program nosuch", "@other", "@cells language x"} {
		if cells, err := c.take(strings.Fields(line)); err == nil {
			t.Errorf("%s gave %d cells", line, len(cells))
		}
	}
	declarations, body, out, err := c.program("wordcount")
	if err != nil || strings.Contains(declarations, "import") || strings.Contains(declarations, "func main") || !strings.HasPrefix(body, "m := map[string]int{}\n") || out == "" {
		t.Errorf("%v\n%s\n%s", err, declarations, body)
	}
}
