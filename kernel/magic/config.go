package magic

import (
	"fmt"
	"strings"

	"github.com/gonb-svm/gonb-svm/kernel/display"
)

// Setting is something that %config shows and changes.
type Setting struct {
	Name  string // such as plot.width
	Value string
	Text  string                   // what it is, and what it may be
	Set   func(value string) error // its error says what is allowed
}

// config shows the settings, or one, or changes one.
func (c *call) config() (display.Outcome, error) {
	name, value, set := strings.Cut(c.step.args, "=")
	name, value = strings.TrimSpace(name), strings.Trim(strings.TrimSpace(value), `"'`)
	rows := [][]string{{"setting", "value", "meaning"}}
	var names []string
	for _, s := range c.Notebook.Settings() {
		if s.Name == name && set {
			if err := s.Set(value); err != nil {
				return display.Outcome{}, fault{"MagicError", fmt.Sprintf("%s = %s: %v", name, value, err)}
			}
			return display.Outcome{}, nil
		}
		if s.Name == name {
			c.print(s.Value + "\n")
			return display.Outcome{}, nil
		}
		rows, names = append(rows, []string{s.Name, s.Value, s.Text}), append(names, s.Name)
	}
	if name != "" {
		return display.Outcome{}, fmt.Errorf("there is no setting %s: want one of %s", name, strings.Join(names, ", "))
	}
	bundle := table(rows)
	return display.Outcome{Result: &bundle}, nil
}
