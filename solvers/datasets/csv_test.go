package datasets

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/iotest"
)

func TestReadCSVForms(t *testing.T) {
	want, err := FromDense([][]float64{{0.5, 0, -2}, {0, 1, 0}}, []float64{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, text string }{
		{"no header", "0.5,0,-2,0\n0,1,0,1\n"},
		{"no final newline", "0.5,0,-2,0\n0,1,0,1"},
		{"CRLF and blank lines", "\r\n0.5,0,-2,0\r\n\r\n0,1,0,1\r\n"},
		{"header", "a,b,c,d\n0.5,0,-2,0\n0,1,0,1\n"},
		{"label in the middle", "a,b,Label,c\n0.5,0,0,-2\n0,1,1,0\n"},
		{"class first", "CLASS,a,b,c\n0,0.5,0,-2\n1,0,1,0\n"},
		{"target", "target,a,b,c\n0,0.5,0,-2\n1,0,1,0\n"},
		{"numbers and a label's name", "0,1,2,y\n0.5,0,-2,0\n0,1,0,1\n"},
		{"semicolons", "a;b;c;d\n0.5;0;-2;0\n0;1;0;1\n"},
		{"tabs", "0.5\t0\t-2\t0\n0\t1\t0\t1\n"},
		{"quotes and blanks", "\"a, the first\", \"b\",c,d\n 0.5, \"0\",-2, 0\n0 ,1,0,1\n"},
		{"byte order mark", "\xef\xbb\xbfy,a,b,c\n0,0.5,0,-2\n1,0,1,0\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := ReadCSV(strings.NewReader(c.text), "set")
			if err != nil {
				t.Fatal(err)
			}
			same(t, got, want)
		})
	}
}

func TestReadCSVErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "f:1:1: no rows: want at least one line of numbers"},
		{"a,b,c\n", "f:1:1: no rows: want at least one line of numbers"},
		{"1\n2\n", "f:1:1: one column: want at least one feature and a label"},
		{"1,2,setosa\n", "f:1:5: label \"setosa\": want one finite number"},
		{"a,b,y\n1,2,nan\n", "f:2:5: label \"nan\": want one finite number"},
		{"a,b,y\n1,NA,1\n", "f:2:3: value \"NA\" in column 2 (\"b\"): want one finite number"},
		{"1,2,3\n4,,6\n", "f:2:3: value \"\" in column 2: want one finite number"},
		{"1\t2\t3\n4\t\t6\n", "f:2:3: value \"\" in column 2: want one finite number"},
		{"1,2,3\n1,1e999,3\n", "f:2:3: value \"1e999\" in column 2: want one finite number"},
		{"1,2,3\n\n4,5\n", "f:3:3: 2 columns, the first line has 3: want lines of equal length"},
		{"1,2,3\n4,5,6,7\n", "f:2:5: 4 columns, the first line has 3: want lines of equal length"},
		{"y,a,class\n1,2,3\n", "f:1:5: columns 1 (\"y\") and 3 (\"class\") both have a label's name: want one"},
		{"1,2\n1,\"2\n", "f:2:6: a quote in the wrong place: a quoted field begins and ends with \", and a \" within is doubled"},
		{"1,2\n1,2\"\n", "f:2:4: a quote in the wrong place: a quoted field begins and ends with \", and a \" within is doubled"},
	} {
		_, err := ReadCSV(strings.NewReader(c.text), "f")
		var parse *ParseError
		if !errors.As(err, &parse) {
			t.Errorf("%q: %v, want a *ParseError", c.text, err)
		} else if err.Error() != c.want {
			t.Errorf("%q: %v\nwant %s", c.text, err, c.want)
		}
	}
	broken := errors.New("the disk is gone")
	if _, err := ReadCSV(iotest.ErrReader(broken), "f"); !errors.Is(err, broken) {
		t.Errorf("%v, want the reader's error", err)
	}
}

func FuzzReadCSV(f *testing.F) {
	for _, seed := range []string{"a,b,y\n1,2,3\n", "1;2\n3;4", "\"1\",\t2\n", "1\t\t2", "y,1\n0,-0\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := ReadCSV(bytes.NewReader(text), "f")
		if err != nil {
			return
		}
		if err := d.Validate(); err != nil || d.Len() == 0 {
			t.Fatal(d, err)
		}
	})
}
