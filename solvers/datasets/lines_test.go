package datasets

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
)

// TestReadLIBSVMLarge reads text of many buffers and blocks, with lines from empty to longer than
// a buffer. Every number must be the one that strconv reads, to the bit, however the text comes.
func TestReadLIBSVMLarge(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	var text strings.Builder
	var want [][]float64
	for row := range 3000 {
		pairs := random.IntN(60)
		if row%1000 == 500 {
			pairs = 100000
		}
		fmt.Fprintf(&text, "%d", row%3)
		var values []float64
		for j := range pairs {
			form := plainForm(random)
			v, err := strconv.ParseFloat(form, 64)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&text, " %d:%s", j+1, form)
			if v != 0 {
				values = append(values, v)
			}
		}
		text.WriteByte('\n')
		want = append(want, values)
	}
	for name, r := range map[string]io.Reader{
		"whole":    strings.NewReader(text.String()),
		"halves":   iotest.HalfReader(strings.NewReader(text.String())),
		"unended":  strings.NewReader(strings.TrimSuffix(text.String(), "\n")),
		"data EOF": iotest.DataErrReader(strings.NewReader(text.String())),
	} {
		d, err := ReadLIBSVM(r, name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if d.Len() != len(want) {
			t.Fatalf("%s: %d rows, want %d", name, d.Len(), len(want))
		}
		compared := 0
		for i, x := range d.X {
			if len(x.Value) != len(want[i]) || cap(x.Value) != len(x.Value) {
				t.Fatalf("%s: row %d has %d values with room for %d, want %d", name, i, len(x.Value), cap(x.Value), len(want[i]))
			}
			for k, v := range x.Value {
				if math.Float64bits(v) != math.Float64bits(want[i][k]) {
					t.Fatalf("%s: row %d has %v, want %v", name, i, v, want[i][k])
				}
				compared++
			}
		}
		if compared < 300000 {
			t.Errorf("%s: only %d values compared", name, compared)
		}
	}
}

// plainForm is a number as files write them.
func plainForm(random *rand.Rand) string {
	v := random.NormFloat64() * math.Pow(10, float64(random.IntN(9)-4))
	switch random.IntN(6) {
	case 0:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case 1:
		return strconv.FormatFloat(v, 'f', random.IntN(21), 64)
	case 2:
		return strconv.Itoa(random.IntN(1000))
	case 3:
		return fmt.Sprintf("-.%0*d", 1+random.IntN(19), random.Int64N(1e9))
	case 4:
		return fmt.Sprintf("%d.%d", random.Int64N(1<<uint(1+random.IntN(62))), random.IntN(1e6))
	default:
		return "1"
	}
}

// What the reader says of the place holds behind the first buffer too.
func TestReadLIBSVMErrorFarBehind(t *testing.T) {
	line := "1 1:0.5 2:0.25\n"
	rows := 3*readSize/len(line) + 7
	_, err := ReadLIBSVM(strings.NewReader(strings.Repeat(line, rows)+"-1 3:1 2:1\n"), "f")
	if want := fmt.Sprintf("f:%d:8: index 2 after 3: indices must increase", rows+1); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestLeadingDigits(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	checked := [wordSize + 1]int{}
	for range 100000 {
		digits := random.IntN(wordSize + 1)
		var text [wordSize]byte
		for i := range text {
			text[i] = byte(random.Uint32())
			if i < digits {
				text[i] = '0' + byte(random.IntN(10))
			}
		}
		want := 0
		for want < wordSize && text[want] >= '0' && text[want] <= '9' {
			want++
		}
		value, _ := strconv.ParseInt("0"+string(text[:want]), 10, 64)
		var word uint64
		for i, c := range text {
			word |= uint64(c) << (8 * i)
		}
		if got, n := leadingDigits(word); got != value || n != want {
			t.Fatalf("%q: %d of %d digits, want %d of %d", text, got, n, value, want)
		}
		checked[want]++
	}
	for n, count := range checked {
		if count < 1000 {
			t.Errorf("only %d words of %d digits checked", count, n)
		}
	}
}
