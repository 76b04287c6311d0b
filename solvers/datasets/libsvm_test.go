package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
)

// same fails the test unless both sets have the same rows, classes and labels, bit for bit.
func same(t *testing.T, got, want *Dataset) {
	t.Helper()
	if got.Len() != want.Len() || got.Dim != want.Dim {
		t.Fatalf("%d rows × %d features, want %d × %d", got.Len(), got.Dim, want.Len(), want.Dim)
	}
	if !slices.Equal(got.Y, want.Y) || !slices.Equal(got.Labels, want.Labels) {
		t.Fatalf("Y %v Labels %v, want %v %v", got.Y, got.Labels, want.Y, want.Labels)
	}
	for i := range got.X {
		if !slices.Equal(got.X[i].Index, want.X[i].Index) || !slices.Equal(got.X[i].Value, want.X[i].Value) {
			t.Fatalf("row %d is %v, want %v", i, got.X[i], want.X[i])
		}
	}
}

func TestReadLIBSVMForms(t *testing.T) {
	two := &Dataset{Dim: 3, Y: []float64{-1, 1}, Labels: []float64{-1, 1},
		X: []Vector{{[]int32{0, 2}, []float64{0.5, -2}}, {[]int32{1}, []float64{1}}}}
	labelled := func(low, high float64) *Dataset {
		d := *two
		d.Labels = []float64{low, high}
		return &d
	}
	for _, c := range []struct {
		name, text string
		want       *Dataset
	}{
		{"1 and -1", "-1 1:0.5 3:-2\n1 2:1\n", two},
		{"+1 and -1", "-1 1:+.5 3:-2.\n+1 2:1\n", two},
		{"1.0 and -1.0", "-1.0 1:5e-1 3:-2\n1.0 2:1.0\n", two},
		{"0 and 1", "0 1:0.5 3:-2\n1 2:1\n", labelled(0, 1)},
		{"negative zero", "-0 1:0.5 3:-2\n1 2:1\n", labelled(0, 1)},
		{"1 and 2", "1 1:0.5 3:-2\n2 2:1\n", labelled(1, 2)},
		{"3 and 8", "3 1:0.5 3:-2\n8 2:1\n", labelled(3, 8)},
		{"fractions", "-2.5 1:0.5 3:-2\n-1.25 2:1\n", labelled(-2.5, -1.25)},
		{"no final newline", "-1 1:0.5 3:-2\n1 2:1", two},
		{"CRLF", "-1 1:0.5 3:-2\r\n1 2:1\r\n", two},
		{"CRLF, none at the end", "-1 1:0.5 3:-2\r\n1 2:1", two},
		{"trailing blanks", "-1 1:0.5 3:-2 \n1 2:1\t \n", two},
		{"many blanks, tabs", "  -1\t1:0.5   3:-2\n\t1 2:1\n", two},
		{"blank lines", "\n\n-1 1:0.5 3:-2\n \t\r\n1 2:1\n\n", two},
		{"comments", "# all\n-1 1:0.5 3:-2 # row 1: 4:5\n1 2:1#end\n#", two},
		{"query ids", "-1 qid:1 1:0.5 3:-2\n1 qid:x 2:1\n", two},
		{"written zeros", "-1 1:0.5 2:0 3:-2\n1 1:0.0 2:1 3:-0e5\n", two},
		{"byte order mark", "\xef\xbb\xbf-1 1:0.5 3:-2\n1 2:1\n", two},
		{"leading zeros", "-01 001:00.5 3:-2\n+1 2:000000000000000000000001\n", two},
		{"row without pairs", "-1\n1 5:1\n-1 \n", &Dataset{Dim: 5, Y: []float64{-1, 1, -1}, Labels: []float64{-1, 1},
			X: []Vector{{}, {[]int32{4}, []float64{1}}, {}}}},
		{"three labels", "2 1:1\n0 1:1\n7 1:1\n2 1:1\n", &Dataset{Dim: 1, Y: []float64{2, 0, 7, 2}, Labels: []float64{0, 2, 7},
			X: slices.Repeat([]Vector{{[]int32{0}, []float64{1}}}, 4)}},
		{"one label", "5 1:1\n", &Dataset{Dim: 1, Y: []float64{5}, Labels: []float64{5}, X: []Vector{{[]int32{0}, []float64{1}}}}},
		{"zeros alone", "1 3:0\n-1 2:0\n", &Dataset{Dim: 3, Y: []float64{1, -1}, Labels: []float64{-1, 1}, X: make([]Vector, 2)}},
		{"greatest index", "1 100000000:1\n-1\n", &Dataset{Dim: 100000000, Y: []float64{1, -1}, Labels: []float64{-1, 1},
			X: []Vector{{[]int32{99999999}, []float64{1}}, {}}}},
		{"extreme values", "1 1:1.7976931348623157e308 2:5e-324\n-1 1:1e-999\n", &Dataset{Dim: 2, Y: []float64{1, -1}, Labels: []float64{-1, 1},
			X: []Vector{{[]int32{0, 1}, []float64{math.MaxFloat64, math.SmallestNonzeroFloat64}}, {}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := ReadLIBSVM(strings.NewReader(c.text), "set")
			if err != nil {
				t.Fatal(err)
			}
			same(t, got, c.want)
			if err := got.Validate(); err != nil {
				t.Error(err)
			}
			if got.Name != "set" {
				t.Errorf("name %q, want set", got.Name)
			}
		})
	}
}

func TestReadLIBSVMErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "f:1:1: no rows: want at least one line \"label index:value …\""},
		{"\n# nothing\n", "f:1:1: no rows: want at least one line \"label index:value …\""},
		{"1 1:1\nyes 1:1\n", "f:2:1: label \"yes\": want one finite number"},
		{"1,2 1:1\n", "f:1:1: label \"1,2\": want one finite number"},
		{"nan 1:1\n", "f:1:1: label \"nan\": want one finite number"},
		{"1e400 1:1\n", "f:1:1: label \"1e400\": want one finite number"},
		{"1:0.5 2:1\n", "f:1:1: \"1:0.5\" where the label belongs: a row starts with its label"},
		{"1 7:1 5:1\n", "f:1:7: index 5 after 7: indices must increase"},
		{"1 1:1\n\n1 7:1   7:1\n", "f:3:9: index 7 after 7: indices must increase"},
		{"1 5:0 5:1\n", "f:1:7: index 5 after 5: indices must increase"},
		{"1 0:1\n", "f:1:3: index 0: indices count from 1"},
		{"1 -3:1\n", "f:1:3: index -3: indices count from 1"},
		{"1 1.5:1\n", "f:1:3: index \"1.5\": want a whole number from 1"},
		{"1 x:1\n", "f:1:3: index \"x\": want a whole number from 1"},
		{"1 :1\n", "f:1:3: index \"\": want a whole number from 1"},
		{"1 100000001:1\n", "f:1:3: index 100000001: want at most 100000000"},
		{"1 4294967297:1\n", "f:1:3: index 4294967297: want at most 100000000"},
		{"1 99999999999999999999999:1\n", "f:1:3: index 99999999999999999999999: want at most 100000000"},
		{"1 3\n", "f:1:3: \"3\": want a pair index:value"},
		{"1 3 :4\n", "f:1:3: \"3\": want a pair index:value"},
		{"1 3: 4\n", "f:1:3: index 3 has no value: want index:value without a space"},
		{"1 3:x\n", "f:1:5: value \"x\" of index 3: want one finite number"},
		{"1 3:1:2\n", "f:1:5: value \"1:2\" of index 3: want one finite number"},
		{"1 3:inf\n", "f:1:5: value \"inf\" of index 3: want one finite number"},
		{"1 3:-NaN\n", "f:1:5: value \"-NaN\" of index 3: want one finite number"},
		{"1 3:1e309\n", "f:1:5: value \"1e309\" of index 3: want one finite number"},
		{"1 3:0x1p3\n", "f:1:5: value \"0x1p3\" of index 3: want one finite number"},
		{"1 3:1_0\n", "f:1:5: value \"1_0\" of index 3: want one finite number"},
		{"1 3:1e\n", "f:1:5: value \"1e\" of index 3: want one finite number"},
		{"1 3:.\n", "f:1:5: value \".\" of index 3: want one finite number"},
		{"1 3:--1\n", "f:1:5: value \"--1\" of index 3: want one finite number"},
		{"\x00\x01\n", "f:1:1: label \"\\x00\\x01\": want one finite number"},
		{strings.Repeat("z", 100), "f:1:1: label \"" + strings.Repeat("z", 40) + "\"…: want one finite number"},
	} {
		_, err := ReadLIBSVM(strings.NewReader(c.text), "f")
		var parse *ParseError
		if !errors.As(err, &parse) {
			t.Errorf("%q: %v, want a *ParseError", c.text, err)
		} else if err.Error() != c.want {
			t.Errorf("%q: %v\nwant %s", c.text, err, c.want)
		}
	}
	broken := errors.New("the disk is gone")
	if _, err := ReadLIBSVM(iotest.ErrReader(broken), "f"); !errors.Is(err, broken) {
		t.Errorf("%v, want the reader's error", err)
	}
}

// TestDecimal compares with strconv, which reads more forms but rounds the same.
func TestDecimal(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	forms := []string{"0", "-0", "1", "9007199254740992", "9007199254740993", "18446744073709551616", "1e22", "1e23", "123456e-22", "123456e-23",
		"1.7976931348623157e308", "4.9e-324", "2.2250738585072011e-308", "0.1", "00000000000000000000000000000.1", "1e-400"}
	for range 20000 {
		v := math.Float64frombits(random.Uint64())
		if !finite(v) {
			continue
		}
		forms = append(forms, strconv.FormatFloat(v, 'g', -1, 64), fmt.Sprintf("%.*f", random.IntN(8), 1000*random.NormFloat64()),
			fmt.Sprintf("%de%d", random.Int64N(1<<60), random.IntN(60)-30), fmt.Sprintf("%.*e", random.IntN(20), v))
	}
	for _, form := range forms {
		got, ok := decimal([]byte(form))
		want, err := strconv.ParseFloat(form, 64)
		if !ok || err != nil || math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%s: %v %v, want %v (%v)", form, got, ok, want, err)
		}
	}
	if len(forms) < 50000 {
		t.Errorf("only %d numbers compared", len(forms))
	}
}

// randomSet has rows of all sizes, negative values and awkward magnitudes.
func randomSet(random *rand.Rand, rows, dim int, labels []float64) *Dataset {
	d := &Dataset{Name: "random", Dim: dim}
	for i := range rows {
		var x Vector
		for j := range dim {
			if random.IntN(3) == 0 || i == 0 {
				x.Index = append(x.Index, int32(j))
				x.Value = append(x.Value, random.NormFloat64()*math.Pow(10, float64(random.IntN(40)-20)))
			}
		}
		d.X, d.Y = append(d.X, x), append(d.Y, labels[i%len(labels)])
	}
	d.mapLabels()
	return d
}

func TestLIBSVMRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	for _, labels := range [][]float64{{-1, 1}, {0, 1}, {1, 2}, {3, 8}, {-2.5, 0.1}, {0, 1, 2}, {-1, 0, 1}, {7}} {
		d := randomSet(random, 40, 30, labels)
		var text bytes.Buffer
		if err := WriteLIBSVM(&text, d); err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(text.String(), " ")
		if first != strconv.FormatFloat(labels[0], 'g', -1, 64) {
			t.Errorf("first label %s, want %g", first, labels[0])
		}
		again, err := ReadLIBSVM(&text, d.Name)
		if err != nil {
			t.Fatal(err)
		}
		same(t, again, d)
	}
}

// A view that has rows of one class alone still writes the label of the file.
func TestWriteLIBSVMView(t *testing.T) {
	d, err := FromDense([][]float64{{1, 0}, {0, 2}, {3, 4}}, []float64{3, 8, 8})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := WriteLIBSVM(&text, d.Subset([]int{2, 1})); err != nil {
		t.Fatal(err)
	}
	if want := "8 1:3 2:4\n8 2:2\n"; text.String() != want {
		t.Errorf("%q, want %q", text.String(), want)
	}
}

type fullDisk struct{}

var errFull = errors.New("no space left")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestWriteLIBSVMErrors(t *testing.T) {
	d := randomSet(rand.New(rand.NewPCG(3, 3)), 3, 3, []float64{1, -1})
	if err := WriteLIBSVM(fullDisk{}, d); !errors.Is(err, errFull) {
		t.Errorf("%v, want the writer's error", err)
	}
	if err := WriteLIBSVM(fullDisk{}, d.Subset(nil)); err == nil || errors.Is(err, errFull) {
		t.Errorf("%v, want a refusal of an empty set", err)
	}
	d.Y[1] = math.NaN()
	if err := WriteLIBSVM(fullDisk{}, d); err == nil || errors.Is(err, errFull) {
		t.Errorf("%v, want a refusal of a label that is not finite", err)
	}
}

// FuzzReadLIBSVM holds that no input panics, that what is accepted is valid, and that it is
// the same after writing and reading again.
func FuzzReadLIBSVM(f *testing.F) {
	for _, seed := range []string{"-1 1:0.5 3:-2\n+1 2:1", "0 1:1e5 # c\r\n\r\n1 qid:3 7:-.5", "3 1:0\n4 100000000:1\n5", "1 5:1 4:1", "\xef\xbb\xbf1 1:1", "1:1", "1 1:nan"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := ReadLIBSVM(bytes.NewReader(text), "f")
		if err != nil {
			var parse *ParseError
			if !errors.As(err, &parse) || parse.Line < 1 || parse.Column < 1 || strings.ContainsAny(err.Error(), "\n\x00") {
				t.Fatalf("%#v", err)
			}
			return
		}
		if err := d.Validate(); err != nil {
			t.Fatal(err)
		}
		var again bytes.Buffer
		if err := WriteLIBSVM(&again, d); err != nil {
			t.Fatal(err)
		}
		e, err := ReadLIBSVM(&again, "f")
		if err != nil {
			t.Fatal(err)
		}
		if e.Dim > d.Dim {
			t.Fatalf("%d features, want at most %d", e.Dim, d.Dim)
		}
		e.Dim = d.Dim
		same(t, e, d)
	})
}

func BenchmarkReadLIBSVM(b *testing.B) {
	for _, name := range []string{"a8a", "w8a"} {
		b.Run(name, func(b *testing.B) {
			text, err := os.ReadFile(filepath.Join(realFolder(b), name))
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ReadLIBSVM(bytes.NewReader(text), name); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// realFolder is the first folder of real data, and skips what needs it when there is none.
func realFolder(t testing.TB) string {
	t.Helper()
	folders := filepath.SplitList(os.Getenv("GONB_SVM_DATA"))
	if len(folders) == 0 {
		t.Skip("GONB_SVM_DATA is not set: no real data to read")
	}
	return folders[0]
}
