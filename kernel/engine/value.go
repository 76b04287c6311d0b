package engine

// Value is what the last expression of a cell gave.
type Value struct {
	// Present is false when there is nothing to show: no last expression, one without results, a
	// nil error, or the count that Print functions return.
	Present bool
	// Any is the value as compiled code sees it. An interpreted value whose type has String,
	// Error, HTML, Markdown, LaTeX, SVG, PNG or MimeBundle methods arrives in a wrapper having them.
	Any  any
	Type string // the Go type as its author wrote it: "main.T", "[]float64"
	Text string // as fmt.Sprint in the cell would print it, cut at 64 kB
}

// maxText is the most text that a Value has, in bytes.
const maxText = 64 << 10
