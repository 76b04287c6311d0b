package solvers

import "fmt"

// Bytes is the size of the model's numbers: 12 bytes for each feature of a vector that is not 0,
// 8 for each coefficient, for the bias and for each scale of a ScaledRBF. Vectors that are no training rows are dense, so that few
// of them can be as large as many sparse rows.
func (m *Model) Bytes() int64 {
	size := int64(8 + 8*len(m.Coefficients))
	for _, x := range m.SupportVectors {
		size += int64(12 * len(x.Index))
	}
	if k, scaled := m.Kernel.(*ScaledRBF); scaled {
		size += int64(8 * len(k.Scales))
	}
	return size
}

// sizeText is "8.6 kB".
func sizeText(bytes int64) string {
	switch {
	case bytes < 1e3:
		return fmt.Sprintf("%d bytes", bytes)
	case bytes < 1e6:
		return fmt.Sprintf("%.1f kB", float64(bytes)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
}

// virtual reports whether the vectors are no training rows.
func (m *Model) virtual() bool { return m.Indices == nil && m.SupportSize() > 0 }

// condensedHTML says the size beside the reference's, what the user should know of the data, and
// what was chosen.
func (r *Result) condensedHTML(m *markup) {
	if r.virtual() && r.Reference != nil {
		m.line("Size", fmt.Sprintf("%s; the dense model %s in %d support vectors", sizeText(r.Bytes()), sizeText(r.Reference.Bytes()), r.Reference.SupportSize()), "")
	}
	if text := r.chosenText(); text != "" {
		m.line("Chosen", text, "")
	}
	if r.Note != "" {
		m.line("Note", r.Note, amberStyle)
	}
}

// chosenText is the winner of the last budget and by how much it won.
func (r *Result) chosenText() string {
	chosen, second := -1, -1
	for i := len(r.Candidates) - 1; i >= 0 && r.Candidates[i].Budget == r.Candidates[len(r.Candidates)-1].Budget; i-- {
		switch c := r.Candidates[i]; {
		case c.Chosen:
			chosen = i
		case c.Vectors <= c.Budget && (chosen < 0 || c.Name != r.Candidates[chosen].Name):
			second = i
		}
	}
	if chosen < 0 {
		return ""
	}
	c := r.Candidates[chosen]
	text := fmt.Sprintf("%s, %d passes: validation error %s", c.Name, c.Passes, percent(c.ValidationError))
	if second >= 0 {
		next := r.Candidates[second]
		text += fmt.Sprintf("; %.2f ± %.2f points less than %s", 100*next.Difference, 100*next.StandardError, next.Name)
	}
	return text
}

// candidatesHTML is the table of what Condense chose among.
func (r *Result) candidatesHTML(m *markup) {
	if len(r.Candidates) == 0 {
		return
	}
	m.open("table", tableStyle)
	m.row("th", "", []string{"Candidate", "Budget", "Vectors", "Passes", "Validation error", "Difference"})
	for _, c := range r.Candidates {
		style := ""
		if c.Chosen {
			style = ";font-weight:700"
		}
		m.row("td", style, []string{c.Name, fmt.Sprint(c.Budget), fmt.Sprint(c.Vectors), fmt.Sprint(c.Passes), percent(c.ValidationError),
			fmt.Sprintf("%.2f ± %.2f", 100*c.Difference, 100*c.StandardError)})
	}
	m.close("table")
}
