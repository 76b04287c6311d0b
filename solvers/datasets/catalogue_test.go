package datasets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// published8a answers every request with rows that have the counts of a8a or its test part.
type published8a struct{ asked *[]string }

func (p published8a) RoundTrip(r *http.Request) (*http.Response, error) {
	*p.asked = append(*p.asked, r.URL.String())
	text := strings.Repeat("-1 1:1 122:1\n", 17190) + strings.Repeat("+1 2:1\n", 5506)
	if strings.HasSuffix(r.URL.Path, ".t") {
		text = strings.Repeat("+1 2:1\n", 2335) + strings.Repeat("-1 1:1\n", 7530)
	}
	return &http.Response{StatusCode: http.StatusOK, ContentLength: -1, Body: io.NopCloser(strings.NewReader(text)), Request: r}, nil
}

func TestCatalogueLoad(t *testing.T) {
	var asked []string
	c := Catalogue{Folders: []string{t.TempDir()}, Cache: t.TempDir(), Client: &http.Client{Transport: published8a{&asked}}}
	for range 2 {
		train, test, err := c.Load(context.Background(), "a8a")
		if err != nil {
			t.Fatal(err)
		}
		if got := train.String(); got != "a8a: 22696 rows × 123 features, 1.4% nonzero, 24% +1" {
			t.Error(got)
		}
		if got := test.String(); got != "a8a test: 9865 rows × 123 features, 0.81% nonzero, 24% +1" {
			t.Error(got)
		}
	}
	const address = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary/"
	if !slices.Equal(asked, []string{address + "a8a", address + "a8a.t"}) {
		t.Errorf("asked for %v", asked)
	}
}

// A file that is there but is not what the set says is named, and nothing is downloaded.
func TestCatalogueWrongFile(t *testing.T) {
	folder := folderOf(t, map[string]string{"a8a": "1 1:1\n", "w8a": "1 x\n"})
	t.Setenv("GONB_SVM_DATA", folder)
	for name, want := range map[string]string{
		"a8a": folder + "/a8a: 1 rows: this part of a8a has 22696; replace the file, or remove it to have it looked for elsewhere",
		"w8a": folder + "/w8a:1:3: \"x\": want a pair index:value",
	} {
		if _, _, err := Load(name); err == nil || err.Error() != want {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}

// Sets that nobody publishes in this form say where they come from.
func TestCatalogueNotPublished(t *testing.T) {
	cache := t.TempDir()
	c := Catalogue{Folders: []string{"/a", "/b"}, Cache: cache}
	for _, name := range []string{"timit", "att", "binalpha"} {
		_, _, err := c.Load(context.Background(), name)
		var unavailable *UnavailableError
		if !errors.As(err, &unavailable) || !slices.Equal(unavailable.Searched, []string{"/a", "/b", cache}) || !slices.Equal(unavailable.Files, []string{name}) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !strings.Contains(err.Error(), "https://") {
			t.Errorf("%v: want it to tell the origin", err)
		}
	}
}

func TestCatalogueNames(t *testing.T) {
	for name, nearest := range map[string]string{"ijcn1": "ijcnn1", "A8A": "a8a", "minst": "mnist", "chequerboard": "checkerboard", "Forest covtype": "covtype", "mnist 38": "mnist38"} {
		_, _, err := Load(name)
		var unknown *NameError
		if !errors.As(err, &unknown) || unknown.Name != name || unknown.Nearest != nearest || len(unknown.Known) != len(Names()) {
			t.Errorf("%q: %v, want the nearest to be %s", name, err, nearest)
		}
	}
	_, _, err := Load("ijcn1")
	if want := `no data set is called "ijcn1": did you mean "ijcnn1"? There are mnist38, toy, banana, checkerboard, spirals, a8a, ijcnn1, ijcnn1+val, w8a, mnist, att, binalpha, covtype, timit; a file is read by LoadFile`; err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}

// TestCatalogueEntries holds what the catalogue tells of each set against itself.
func TestCatalogueEntries(t *testing.T) {
	for _, s := range sets() {
		if s.About == "" || s.Rows == 0 || s.TestRows == 0 || (s.build == nil) == (s.train == nil) || s.addresses != nil && s.origin != "" {
			t.Errorf("%+v", s)
		}
		if s.build != nil {
			continue
		}
		train, test := 0, 0
		for _, p := range s.train {
			train += rowsOf(t, s.Name, p)
		}
		for _, p := range s.test {
			test += rowsOf(t, s.Name, p)
		}
		if s.test == nil {
			test = s.TestRows
			train -= test
		}
		if train != s.Rows || test != s.TestRows {
			t.Errorf("%s: %d and %d rows in its parts, want %d and %d", s.Name, train, test, s.Rows, s.TestRows)
		}
	}
}

// rowsOf is the number of rows of a part, which its classes must add up to.
func rowsOf(t *testing.T, name string, p part) int {
	sum := 0
	for _, n := range p.counts {
		sum += n
	}
	if p.counts != nil && sum != p.rows {
		t.Errorf("%s: classes of %v make %d rows, want %d", name, p.counts, sum, p.rows)
	}
	return p.rows
}

// Forest is too large to keep for tests: its sizes are held by a set of the same counts.
func TestForestSplit(t *testing.T) {
	d := &Dataset{Dim: 1, X: make([]Vector, 581012), Y: make([]float64, 581012)}
	for i := range d.Y {
		d.Y[i] = 1
		if i < 283301 {
			d.Y[i] = -1
		}
	}
	all := sets()
	s := all[slices.IndexFunc(all, func(s set) bool { return s.Name == "covtype" })]
	train, test := d.Split(s.fraction, splitSeed)
	if got := fmt.Sprint(train.Len(), test.Len()); got != "522910 58102" {
		t.Errorf("%s rows, want the papers' 522910 and 58102", got)
	}
}
