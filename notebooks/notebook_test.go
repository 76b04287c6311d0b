package notebooks

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func read(t *testing.T, file string) (*Notebook, []byte) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	n, err := Read(bytes.NewReader(data), file)
	if err != nil {
		t.Fatal(err)
	}
	return n, data
}

func written(t testing.TB, n *Notebook) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, n); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A file as Jupyter writes it comes back byte for byte.
func TestRoundTripIsIdentical(t *testing.T) {
	n, data := read(t, "jupyter.ipynb")
	if got := written(t, n); !bytes.Equal(got, data) {
		t.Errorf("the file changed:\n%s", got)
	}
}

// An odd file keeps all its values, the order of its keys and its own escapes.
func TestRoundTripOfOddFile(t *testing.T) {
	n, data := read(t, "odd.ipynb")
	got := written(t, n)
	var a, b any
	if err := json.Unmarshal(data, &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(got, &b); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("the content changed:\n%s", got)
	}
	at := 0
	for _, key := range []string{`"nbformat_minor": 2`, `"unknown"`, `"z": []`, `"a": {}`, `"metadata"`, `"x": 1.50`, `\u00e9\/\ud83d\ude00`, `"extra": true`} {
		next := bytes.Index(got[at:], []byte(key))
		if next < 0 {
			t.Fatalf("%s is not where it was", key)
		}
		at += next
	}
	if !bytes.HasSuffix(got, []byte("}\n")) || !bytes.Contains(got, []byte("\n \"nbformat\": 4,\n")) {
		t.Error("the file is not formatted as Jupyter does")
	}
}

func TestReadFields(t *testing.T) {
	n, _ := read(t, "jupyter.ipynb")
	c := n.Cells[1]
	if c.Kind != "code" || c.ID != "b1" || c.Count != 3 || !c.Tagged("parameters") || len(c.Outputs) != 4 ||
		c.Source != "C := 1.0\nname := \"x\"\nname" {
		t.Errorf("cell 2 is %+v", c)
	}
	if o := c.Outputs[0]; o.Kind != "stream" || o.Name != "stdout" || !strings.HasPrefix(o.Text, "one\n\x1b[31mred") {
		t.Errorf("output 1 is %+v", o)
	}
	if o := c.Outputs[1]; o.Data["text/plain"] != "<a picture>" || o.Metadata["image/png"].(map[string]any)["width"] != 10.0 {
		t.Errorf("output 2 is %+v", o)
	}
	if o := c.Outputs[3]; o.ErrorName != "Panic" || o.Message != "no" || len(o.Traceback) != 1 {
		t.Errorf("output 4 is %+v", o)
	}
}

func TestWriteChangesOnlyWhatChanged(t *testing.T) {
	n, data := read(t, "jupyter.ipynb")
	n.Cells[0].Source = "# New <&> — \"title\"\n\tx\u2028y"
	got := string(written(t, n))
	want := `    "# New <&> — \"title\"\n",` + "\n" + `    "\tx` + "\u2028" + `y"`
	if !strings.Contains(got, want) {
		t.Errorf("the new source is not written as Jupyter does:\n%s", got)
	}
	before, after := strings.SplitN(string(data), `"id": "b1"`, 2), strings.SplitN(got, `"id": "b1"`, 2)
	if before[1] != after[1] {
		t.Error("the rest of the file changed too")
	}
}

func TestMissingIDsAreAdded(t *testing.T) {
	source := `{"cells":[{"cell_type":"code","source":"1"},{"cell_type":"code","source":"1"},{"cell_type":"code","id":"kept","source":"1"}],"nbformat":4,"nbformat_minor":5,"metadata":{}}`
	ids := func() (ids []string) {
		n, err := Read(strings.NewReader(source), "x")
		if err != nil {
			t.Fatal(err)
		}
		var file struct{ Cells []struct{ ID string } }
		if err := json.Unmarshal(written(t, n), &file); err != nil {
			t.Fatal(err)
		}
		for _, c := range file.Cells {
			ids = append(ids, c.ID)
		}
		return ids
	}
	got := ids()
	if len(got) != 3 || got[0] == "" || got[1] == "" || got[0] == got[1] || got[2] != "kept" {
		t.Errorf("ids %q", got)
	}
	if again := ids(); !reflect.DeepEqual(got, again) {
		t.Errorf("ids %q, the second time %q", got, again)
	}
	old := strings.Replace(source, `"nbformat_minor":5`, `"nbformat_minor":4`, 1)
	n, err := Read(strings.NewReader(old), "x")
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Count(written(t, n), []byte(`"id"`)) != 1 {
		t.Error("a notebook older than 4.5 got ids")
	}
}

func TestReadErrors(t *testing.T) {
	cases := []struct{ source, want string }{
		{"", "q.ipynb: not a notebook: the file is empty"},
		{"{\n \"cells\": [],\n    }", "q.ipynb: not a notebook: invalid character '}' at line 3 column 5"},
		{"{\"cells\": [", "q.ipynb: not a notebook: it ends in the middle, at line 1 column 12"},
		{"{\"é\": 01}", "q.ipynb: not a notebook: invalid character '1' at line 1 column 8"},
		{"\"\xff\"", "q.ipynb: not a notebook: a byte that is not UTF-8 at line 1 column 2"},
		{"[]", "q.ipynb: not a notebook: want a JSON object with nbformat and cells"},
		{"{}", "q.ipynb: not a notebook: it has no number nbformat"},
		{`{"nbformat": 3, "worksheets": []}`, "q.ipynb: nbformat 3 is too old: convert it with jupyter nbconvert --to notebook --nbformat 4 FILE"},
		{`{"nbformat": 5}`, "q.ipynb: nbformat 5 is too new: this program reads nbformat 4"},
		{`{"nbformat": 4}`, "q.ipynb: not a notebook: it has no list of cells"},
		{`{"nbformat": 4, "cells": {}}`, "q.ipynb: not a notebook: it has no list of cells"},
		{`{"nbformat": 4, "metadata": 7}`, "q.ipynb: not a notebook: its metadata is no object"},
		{`{"nbformat": 4, "cells": [1]}`, "q.ipynb: not a notebook: cell 1 is no object"},
		{`{"nbformat": 4, "cells": [{}]}`, "q.ipynb: not a notebook: cell 1 has no cell_type"},
		{`{"nbformat": 4, "cells": [{"cell_type": "heading"}]}`, `q.ipynb: not a notebook: cell 1 has the cell_type "heading": want code, markdown or raw`},
		{`{"nbformat": 4, "cells": [{"cell_type": "code"}]}`, "q.ipynb: not a notebook: cell 1 has a source that is neither text nor a list of lines"},
		{`{"nbformat": 4, "cells": [{"cell_type": "code", "source": [1]}]}`, "q.ipynb: not a notebook: cell 1 has a source that is neither text nor a list of lines"},
		{`{"nbformat": 4, "cells": [{"cell_type": "code", "source": "", "metadata": []}]}`, "q.ipynb: not a notebook: cell 1 has metadata that is no object"},
		{`{"nbformat": 4, "cells": [{"cell_type": "code", "source": "", "outputs": 1}]}`, "q.ipynb: not a notebook: cell 1 has outputs that are no list"},
		{`{"nbformat": 4, "cells": [{"cell_type": "code", "source": "", "outputs": [1]}]}`, "q.ipynb: not a notebook: cell 1 has an output 1 that is no object"},
	}
	for _, c := range cases {
		_, err := Read(strings.NewReader(c.source), "q.ipynb")
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.source, err, c.want)
		}
	}
}

// Whatever Read accepts, Write writes so that the content is the same, and writing it again
// changes nothing.
func FuzzRead(f *testing.F) {
	for _, file := range []string{"jupyter.ipynb", "odd.ipynb"} {
		data, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"nbformat":4,"cells":[{"cell_type":"code","cell_type":"raw","source":"\ud800\u0000"}]}`))
	f.Add([]byte("\ufeff{\"nbformat\":4,\"nbformat_minor\":5,\"cells\":[{\"cell_type\":\"code\",\"source\":[]}]}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := Read(bytes.NewReader(data), "f")
		if err != nil {
			return
		}
		first := written(t, n)
		if n.Minor < 5 && !bytes.Equal(squeezed(t, bytes.TrimPrefix(data, []byte("\ufeff"))), squeezed(t, first)) {
			t.Errorf("the content changed to\n%s", first)
		}
		again, err := Read(bytes.NewReader(first), "f")
		if err != nil {
			t.Fatal(err)
		}
		if second := written(t, again); !bytes.Equal(first, second) {
			t.Errorf("written again it is\n%s", second)
		}
		var b bytes.Buffer
		if err := WriteHTML(&b, n); err != nil {
			t.Error(err)
		}
	})
}

func squeezed(t *testing.T, data []byte) []byte {
	var b bytes.Buffer
	if err := json.Compact(&b, data); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
