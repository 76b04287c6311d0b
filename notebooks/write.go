package notebooks

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Write writes the notebook as Jupyter formats it: an indent of one, and a newline at the
// end. What was not changed since Read is as it was, keys in their order. Cells of a
// notebook 4.5 or later that have no id get one, since the format wants it.
func Write(w io.Writer, n *Notebook) error {
	root := n.root
	if root == nil {
		root = &object{}
		root.set("metadata", &object{})
		root.set("nbformat", raw("4"))
		root.set("nbformat_minor", raw(fmt.Sprint(n.Minor)))
	}
	ids := map[string]bool{}
	for _, c := range n.Cells {
		ids[c.ID] = true
	}
	cells := list{}
	for i, c := range n.Cells {
		if n.Minor >= 5 && c.ID == "" {
			c.ID = freshID(ids, i, c.Source)
		}
		cells = append(cells, c.encode())
	}
	root.set("cells", cells)
	var b bytes.Buffer
	write(&b, root, 0)
	b.WriteByte('\n')
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("writing the notebook: %w", err)
	}
	return nil
}

// freshID is an id that no other cell has. The same cell of the same notebook gets the same,
// so that files can be compared.
func freshID(taken map[string]bool, position int, source string) string {
	for salt := 0; ; salt++ {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d\n%d\n%s", salt, position, source))
		id := fmt.Sprintf("%x", sum[:4])
		if !taken[id] {
			taken[id] = true
			return id
		}
	}
}

// encode is the cell as it is written.
func (c *Cell) encode() *object {
	tree := c.tree
	if tree == nil {
		tree = &object{}
		tree.set("cell_type", quote(c.Kind))
		metadata := &object{}
		if len(c.Tags) > 0 {
			tags := list{}
			for _, tag := range c.Tags {
				tags = append(tags, quote(tag))
			}
			metadata.set("tags", tags)
		}
		tree.set("metadata", metadata)
	}
	if id, _ := text(tree.get("id")); c.ID != "" && id != c.ID {
		tree.set("id", quote(c.ID))
	}
	if c.tree == nil || c.Source != c.read.source {
		tree.set("source", lineList(c.Source))
	}
	if c.Kind == "code" && (c.tree == nil || c.Count != c.read.count || !slices.Equal(c.Outputs, c.read.outputs)) {
		outputs := list{}
		for _, o := range c.Outputs {
			outputs = append(outputs, o.encode())
		}
		tree.set("outputs", outputs)
		tree.set("execution_count", countOrNull(c.Count))
	}
	return tree
}

func countOrNull(n int) raw {
	if n == 0 {
		return "null"
	}
	return raw(fmt.Sprint(n))
}

// encode is the output as it is written.
func (o *Output) encode() *object {
	if o.tree != nil {
		return o.tree
	}
	tree := &object{}
	tree.set("output_type", quote(o.Kind))
	switch o.Kind {
	case "stream":
		tree.set("name", quote(o.Name))
		tree.set("text", lineList(o.Text))
	case "error":
		tree.set("ename", quote(o.ErrorName))
		tree.set("evalue", quote(o.Message))
		traceback := list{}
		for _, line := range o.Traceback {
			traceback = append(traceback, quote(line))
		}
		tree.set("traceback", traceback)
	default:
		tree.set("data", encodeData(o.Data))
		metadata, err := treeOf(o.Metadata)
		if _, isObject := metadata.(*object); err != nil || !isObject {
			metadata = &object{}
		}
		tree.set("metadata", metadata)
		if o.Kind == "execute_result" {
			tree.set("execution_count", countOrNull(o.Count))
		}
	}
	return tree
}

// encodeData is a bundle as it is written: text in lines, JSON as JSON, the rest in base64.
// What has no JSON form is left out, and its type told in its place.
func encodeData(data map[string]any) *object {
	tree := &object{}
	for _, mime := range slices.Sorted(maps.Keys(data)) {
		var encoded any
		switch v := data[mime].(type) {
		case string:
			encoded = encodeText(mime, v)
		case []byte:
			if isText(mime) || isJSON(mime) {
				encoded = encodeText(mime, string(v))
			} else {
				encoded = quote(base64.StdEncoding.EncodeToString(v))
			}
		default:
			var err error
			if encoded, err = treeOf(v); err != nil {
				encoded = quote(fmt.Sprintf("%T has no JSON form: %v", v, err))
			}
		}
		tree.set(mime, encoded)
	}
	return tree
}

func encodeText(mime, s string) any {
	switch {
	case isJSON(mime) && json.Valid([]byte(s)):
		if tree, err := parse([]byte(s)); err == nil {
			return tree
		}
	case isText(mime):
		return lineList(s)
	}
	return quote(s)
}

func isJSON(mime string) bool {
	return mime == "application/json" || strings.HasSuffix(mime, "+json")
}

func isText(mime string) bool {
	return strings.HasPrefix(mime, "text/") || strings.HasSuffix(mime, "+xml") || mime == "application/javascript"
}
