// Package notebooks reads and writes Jupyter notebooks (nbformat 4), runs them without
// Jupyter, and exports them to HTML. Scripts, Go files with cells between lines //%%, are
// read as notebooks too.
package notebooks

import (
	"fmt"
	"io"
	"slices"
)

// Notebook is a notebook in memory. What the fields do not show, such as metadata of other
// programs, is kept and written back.
type Notebook struct {
	Name          string // of the file, for messages and the title
	Format, Minor int    // nbformat 4.Minor
	Cells         []*Cell
	root          *object // as read
}

// Cell is one cell.
type Cell struct {
	Kind    string // "code", "markdown" or "raw"
	ID      string // "" in files older than 4.5
	Source  string
	Tags    []string  // of the metadata; read only
	Count   int       // the number in In[Count]; 0: not executed
	Outputs []*Output // of a code cell

	tree *object  // as read; nil for a new cell
	read struct { // what the fields were when read: what has not changed is not written anew
		source  string
		outputs []*Output
		count   int
	}
}

// Output is one output of a code cell.
type Output struct {
	Kind      string         // "stream", "display_data", "execute_result" or "error"
	Name      string         // of a stream: "stdout" or "stderr"
	Text      string         // of a stream
	Data      map[string]any // of display_data and execute_result, as display.Bundle
	Metadata  map[string]any // by MIME type
	Count     int            // of execute_result
	ErrorName string         // of error
	Message   string         // of error
	Traceback []string       // of error

	tree *object // as read; nil for a new output
}

// Tagged reports whether the cell's metadata has the tag.
func (c *Cell) Tagged(tag string) bool { return slices.Contains(c.Tags, tag) }

// FormatError is a file that is no notebook, or none that this package reads.
type FormatError struct {
	Name string // of the file
	What string // one sentence
}

func (e *FormatError) Error() string {
	if e.Name == "" {
		return e.What
	}
	return e.Name + ": " + e.What
}

// Read reads a notebook of nbformat 4. name is the file's, for messages. Every error that is
// not one of r is a *FormatError.
func Read(r io.Reader, name string) (*Notebook, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	tree, err := parse(data)
	if err != nil {
		return nil, &FormatError{name, "not a notebook: " + err.Error()}
	}
	root, ok := tree.(*object)
	if !ok {
		return nil, &FormatError{name, "not a notebook: want a JSON object with nbformat and cells"}
	}
	n := &Notebook{Name: name, root: root}
	if what := n.readFormat(); what != "" {
		return nil, &FormatError{name, what}
	}
	cells, ok := root.get("cells").(list)
	if !ok {
		return nil, &FormatError{name, "not a notebook: it has no list of cells"}
	}
	for i, tree := range cells {
		cell, what := readCell(tree)
		if what != "" {
			return nil, &FormatError{name, fmt.Sprintf("not a notebook: cell %d %s", i+1, what)}
		}
		n.Cells = append(n.Cells, cell)
	}
	return n, nil
}

// readFormat takes over the version, and says what is wrong with it.
func (n *Notebook) readFormat() string {
	format, ok := number(n.root.get("nbformat"))
	switch {
	case !ok:
		return "not a notebook: it has no number nbformat"
	case format < 4:
		return fmt.Sprintf("nbformat %d is too old: convert it with jupyter nbconvert --to notebook --nbformat 4 FILE", format)
	case format > 4:
		return fmt.Sprintf("nbformat %d is too new: this program reads nbformat 4", format)
	}
	n.Format = format
	n.Minor, _ = number(n.root.get("nbformat_minor"))
	if metadata := n.root.get("metadata"); metadata != nil {
		if _, ok := metadata.(*object); !ok {
			return "not a notebook: its metadata is no object"
		}
	}
	return ""
}

// readCell reads one cell, and says what is wrong with it.
func readCell(v any) (c *Cell, what string) {
	tree, ok := v.(*object)
	if !ok {
		return nil, "is no object"
	}
	c = &Cell{tree: tree}
	if c.Kind, ok = text(tree.get("cell_type")); !ok {
		return nil, "has no cell_type"
	}
	if !slices.Contains([]string{"code", "markdown", "raw"}, c.Kind) {
		return nil, fmt.Sprintf("has the cell_type %q: want code, markdown or raw", c.Kind)
	}
	if c.Source, ok = lines(tree.get("source")); !ok {
		return nil, "has a source that is neither text nor a list of lines"
	}
	c.ID, _ = text(tree.get("id"))
	c.Count, _ = number(tree.get("execution_count"))
	metadata, ok := tree.get("metadata").(*object)
	if !ok && tree.get("metadata") != nil {
		return nil, "has metadata that is no object"
	}
	tags, _ := metadata.get("tags").(list)
	for _, tag := range tags {
		if s, ok := text(tag); ok {
			c.Tags = append(c.Tags, s)
		}
	}
	outputs, ok := tree.get("outputs").(list)
	if !ok && tree.get("outputs") != nil {
		return nil, "has outputs that are no list"
	}
	for i, v := range outputs {
		output, ok := v.(*object)
		if !ok {
			return nil, fmt.Sprintf("has an output %d that is no object", i+1)
		}
		c.Outputs = append(c.Outputs, readOutput(output))
	}
	c.read.source, c.read.outputs, c.read.count = c.Source, slices.Clone(c.Outputs), c.Count
	return c, ""
}

// readOutput reads what it understands of an output; the rest is in its tree.
func readOutput(tree *object) *Output {
	o := &Output{tree: tree}
	o.Kind, _ = text(tree.get("output_type"))
	o.Name, _ = text(tree.get("name"))
	o.Text, _ = lines(tree.get("text"))
	o.Count, _ = number(tree.get("execution_count"))
	o.ErrorName, _ = text(tree.get("ename"))
	o.Message, _ = text(tree.get("evalue"))
	traceback, _ := tree.get("traceback").(list)
	for _, v := range traceback {
		line, _ := text(v)
		o.Traceback = append(o.Traceback, line)
	}
	if data, ok := tree.get("data").(*object); ok {
		o.Data = map[string]any{}
		for _, m := range data.members {
			mime, _ := text(m.key)
			if s, ok := lines(m.value); ok {
				o.Data[mime] = s
			} else {
				o.Data[mime] = valueOf(m.value)
			}
		}
	}
	o.Metadata, _ = valueOf(tree.get("metadata")).(map[string]any)
	return o
}
