package datasets

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
)

// TestRealSets holds every set of the data folder against its published facts.
func TestRealSets(t *testing.T) {
	realFolder(t)
	for _, c := range []struct {
		name        string
		rows        [2]int
		dim         int
		labels      []float64
		counts      [2][]int // rows of each class by ascending label
		nonzeros    int      // in the training part, as counted by awk; 0: not counted
		firstIndex  int32
		firstValue  float64
		inUnitRange bool
	}{
		{"a8a", [2]int{22696, 9865}, 123, []float64{-1, 1}, [2][]int{{17190, 5506}, {7530, 2335}}, 314815, 2, 1, true},
		{"w8a", [2]int{49749, 14951}, 300, []float64{-1, 1}, [2][]int{{48270, 1479}, {14497, 454}}, 579586, 40, 1, true},
		{"ijcnn1", [2]int{35000, 91701}, 22, []float64{-1, 1}, [2][]int{{31585, 3415}, {82989, 8712}}, 0, 5, 1, false},
		{"mnist", [2]int{60000, 10000}, 784, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, [2][]int{
			{5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949},
			{980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009}}, 0, 152, 3.0 / 255, true},
		{"att", [2]int{200, 200}, 644, upTo(40), [2][]int{slices.Repeat([]int{5}, 40), slices.Repeat([]int{5}, 40)}, 0, 0, 0, false},
		{"binalpha", [2]int{936, 468}, 320, upTo(36), [2][]int{slices.Repeat([]int{26}, 36), slices.Repeat([]int{13}, 36)}, 0, 0, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			train, test, err := Load(c.name)
			if err != nil {
				t.Fatal(err)
			}
			for part, d := range []*Dataset{train, test} {
				if d.Len() != c.rows[part] || d.Dim != c.dim || !slices.Equal(d.Labels, c.labels) {
					t.Errorf("%v with labels %v, want %d × %d with %v", d, d.Labels, c.rows[part], c.dim, c.labels)
				}
				var counts []int
				for _, count := range d.Counts() {
					counts = append(counts, count.Rows)
				}
				if !slices.Equal(counts, c.counts[part]) {
					t.Errorf("part %d has %v rows per class, want %v", part, counts, c.counts[part])
				}
				if err := d.Validate(); err != nil {
					t.Error(err)
				}
				if c.inUnitRange {
					inUnitRange(t, d)
				}
			}
			if c.firstValue != 0 && (train.X[0].Index[0] != c.firstIndex || train.X[0].Value[0] != c.firstValue) {
				t.Errorf("the first entry is %d:%g, want %d:%g", train.X[0].Index[0], train.X[0].Value[0], c.firstIndex, c.firstValue)
			}
			stored := 0
			for _, x := range train.X {
				stored += len(x.Index)
			}
			if c.nonzeros != 0 && stored != c.nonzeros {
				t.Errorf("%d nonzeros, want %d", stored, c.nonzeros)
			}
		})
	}
}

// ijcnn1+val adds rows to ijcnn1's training part; the test part is the same.
func TestRealValidationRows(t *testing.T) {
	realFolder(t)
	all := sets()
	s := all[slices.IndexFunc(all, func(s set) bool { return s.Name == "ijcnn1+val" })]
	d, err := Catalogue{}.readAll(context.Background(), &s, s.train)
	if err != nil {
		t.Fatal(err)
	}
	d.Name = s.Name
	if want := "ijcnn1+val: 49990 rows × 22 features, 59% nonzero, 9.7% +1"; d.String() != want {
		t.Errorf("%v\nwant %s", d, want)
	}
	if x, last := d.X[35000], d.X[49989]; x.Index[0] != 5 || x.Value[1] != 0.282038 || len(last.Index) == 0 {
		t.Errorf("row 35000 is %v, want the first of val", x)
	}
}

func upTo(n int) []float64 {
	var labels []float64
	for i := range n {
		labels = append(labels, float64(i+1))
	}
	return labels
}

func inUnitRange(t *testing.T, d *Dataset) {
	t.Helper()
	entries := 0
	for i, x := range d.X {
		for _, v := range x.Value {
			if v <= 0 || v > 1 {
				t.Fatalf("row %d holds %g, want values in (0, 1]", i, v)
			}
			entries++
		}
	}
	if entries == 0 {
		t.Fatal("no entries")
	}
}

// TestRealFiles opens the files by name, packed and not, in all formats.
func TestRealFiles(t *testing.T) {
	folder := realFolder(t)
	for _, c := range []struct {
		file, name string
		rows, dim  int
	}{
		{"a8a.t", "a8a.t", 9865, 122}, {"ijcnn1.val.bz2", "ijcnn1.val", 14990, 22},
		{"att", "att", 400, 644}, {"binalpha", "binalpha", 1404, 320},
		{"mnist/t10k-images-idx3-ubyte.gz", "t10k-images-idx3-ubyte", 10000, 784},
	} {
		d, err := LoadFile(filepath.Join(folder, filepath.FromSlash(c.file)))
		if err != nil {
			t.Error(err)
		} else if d.Len() != c.rows || d.Dim != c.dim || d.Name != c.name {
			t.Errorf("%v, want %s: %d rows × %d features", d, c.name, c.rows, c.dim)
		}
	}
}

// TestEmbeddedDigits holds the digits in the program against MNIST's own.
func TestEmbeddedDigits(t *testing.T) {
	realFolder(t)
	all, allTest, err := Load("mnist")
	if err != nil {
		t.Fatal(err)
	}
	train, test, err := Load("mnist38")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ got, from *Dataset }{{train, all}, {test, allTest}} {
		want := c.from.Groups([]float64{3}, []float64{8})
		if c.got.Len() > want.Len() || c.got.Len() < 1000 {
			t.Fatalf("%d rows", c.got.Len())
		}
		rows := make([]int, c.got.Len())
		for i := range rows {
			rows[i] = i
		}
		want = want.Subset(rows)
		want.Labels = []float64{3, 8}
		same(t, c.got, want)
	}
}
