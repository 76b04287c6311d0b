package notebooks

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// The report of a run as JUnit writes it, which servers for continuous integration show: one
// suite, the notebook, with one case for each code cell.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Skipped  int          `xml:"skipped,attr"`
		Time     string       `xml:"time,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Time     string      `xml:"time,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name       string           `xml:"name,attr"`
		ClassName  string           `xml:"classname,attr"`
		Time       string           `xml:"time,attr"`
		Properties *junitProperties `xml:"properties"`
		Failure    *junitFailure    `xml:"failure"`
		Skipped    *junitSkipped    `xml:"skipped"`
	}
	junitProperties struct {
		Property []junitProperty `xml:"property"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
	junitSkipped struct {
		Message string `xml:"message,attr"`
	}
)

// WriteJUnit writes what came of a run of n as a JUnit report in XML. Every code cell is a test
// case, known by its position and its grade_id for nbgrader, its id, or its first line. A cell
// that failed and must not has its error with the traceback as plain text; one that was not run
// counts as skipped. Cells with marks for nbgrader have them as the property "points".
func WriteJUnit(w io.Writer, n *Notebook, r Report) error {
	suite := junitSuite{Name: n.Name, Time: inSeconds(r.Duration)}
	class := strings.TrimSuffix(path.Base(filepath.ToSlash(n.Name)), path.Ext(n.Name))
	for _, c := range r.Cells {
		if c.Position < 1 || c.Position > len(n.Cells) {
			return fmt.Errorf("the report has a cell %d, the notebook %d cells", c.Position, len(n.Cells))
		}
		cell := n.Cells[c.Position-1]
		test := junitCase{Name: fmt.Sprintf("cell %d: %s", c.Position, cell.title()), ClassName: class, Time: inSeconds(c.Duration)}
		if points := cell.graded("points"); points != "" {
			test.Properties = &junitProperties{[]junitProperty{{"points", points}}}
		}
		switch f := c.Failure; {
		case c.Skipped != "":
			suite.Skipped++
			test.Skipped = &junitSkipped{c.Skipped}
		case f != nil && !c.Expected:
			suite.Failures++
			text := cmp.Or(strings.Join(f.Traceback, "\n"), f.Error())
			test.Failure = &junitFailure{withoutANSI(f.Message), f.Name, withoutANSI(text)}
		}
		suite.Cases = append(suite.Cases, test)
	}
	suite.Tests = len(suite.Cases)
	all := junitSuites{Name: "gonb-svm run", Tests: suite.Tests, Failures: suite.Failures, Skipped: suite.Skipped, Time: suite.Time, Suites: []junitSuite{suite}}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, xml.Header+string(text)+"\n")
	return err
}

func inSeconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

// title is how a reader knows the cell in a list.
func (c *Cell) title() string {
	first, _, _ := strings.Cut(strings.TrimSpace(c.Source), "\n")
	return cmp.Or(c.graded("grade_id"), c.ID, first)
}

// graded is a field of what nbgrader keeps in the metadata, as text; "" if there is none.
func (c *Cell) graded(field string) string {
	if c.tree == nil {
		return ""
	}
	metadata, _ := c.tree.get("metadata").(*object)
	grading, _ := metadata.get("nbgrader").(*object)
	value := grading.get(field)
	if s, ok := text(value); ok {
		return s
	}
	if number, ok := value.(raw); ok {
		return string(number)
	}
	return ""
}
