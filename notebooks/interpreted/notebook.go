package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// cell is one of the notebook. want is what the corpus says that it gives, nil for a cell that is not
// the corpus's.
type cell struct {
	code   bool
	source string
	fails  bool
	want   map[string]string
}

// read makes cells of the text: paragraphs, blocks of Go between fences, and lines that begin with @:
//
//	@cells FILE FIRST[-LAST]   cells of a transcript, from 1
//	@program NAME              a program
//	@failures                  the table of what fails
func read(file, folder string) ([]cell, error) {
	c := corpus(folder)
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	programs, count, err := c.counts()
	if err != nil {
		return nil, err
	}
	whole := strings.NewReplacer("{programs}", strconv.Itoa(programs), "{cells}", strconv.Itoa(count)).Replace(string(text))
	var cells []cell
	var prose, code []string
	fence, fails := false, false
	end := func() {
		if s := strings.TrimSpace(strings.Join(prose, "\n")); s != "" {
			cells = append(cells, cell{source: s})
		}
		prose = nil
	}
	for number, line := range strings.Split(whole, "\n") {
		switch {
		case fence && line == "```":
			cells = append(cells, cell{code: true, source: strings.Join(code, "\n"), fails: fails})
			fence, code = false, nil
		case fence:
			code = append(code, line)
		case strings.HasPrefix(line, "```go"):
			end()
			fence, fails = true, strings.HasSuffix(line, "fails")
		case line == "@failures":
			table, err := c.failures()
			if err != nil {
				return nil, err
			}
			prose = append(prose, table)
		case strings.HasPrefix(line, "@"):
			end()
			taken, err := c.take(strings.Fields(line))
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, number+1, err)
			}
			cells = append(cells, taken...)
		default:
			prose = append(prose, line)
		}
	}
	end()
	return cells, nil
}

// take is the cells that a line with an @ asks for.
func (c corpus) take(words []string) ([]cell, error) {
	switch {
	case words[0] == "@program" && len(words) == 2:
		declarations, body, out, err := c.program(words[1])
		want := map[string]string{"out": out}
		if declarations == "" {
			return []cell{{code: true, source: body, want: want}}, err
		}
		return []cell{{code: true, source: declarations, want: map[string]string{}}, {code: true, source: body, want: want}}, err
	case words[0] == "@cells" && len(words) == 3:
		steps, err := c.transcript(words[1])
		if err != nil {
			return nil, err
		}
		begin, last, ranged := strings.Cut(words[2], "-")
		first, err := strconv.Atoi(begin)
		stop := first
		if err == nil && ranged {
			stop, err = strconv.Atoi(last)
		}
		if err != nil || first < 1 || stop < first || stop > len(steps) {
			return nil, fmt.Errorf("%s has the cells 1 to %d, not %s", words[1], len(steps), words[2])
		}
		var cells []cell
		for _, s := range steps[first-1 : stop] {
			_, fails := s.want["error"]
			cells = append(cells, cell{code: true, source: s.source, fails: fails, want: s.want})
		}
		return cells, nil
	}
	return nil, fmt.Errorf("%s is no directive", strings.Join(words, " "))
}

// encode is the notebook's file, without outputs.
func encode(cells []cell) ([]byte, error) {
	all := make([]map[string]any, len(cells))
	for i, c := range cells {
		m := map[string]any{"cell_type": "markdown", "id": fmt.Sprintf("cell-%02d", i+1), "metadata": map[string]any{}, "source": strings.SplitAfter(c.source, "\n")}
		if c.code {
			m["cell_type"], m["execution_count"], m["outputs"] = "code", nil, []any{}
		}
		if c.fails {
			m["metadata"] = map[string]any{"tags": []string{"raises-exception"}}
		}
		all[i] = m
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(map[string]any{"cells": all, "nbformat": 4, "nbformat_minor": 5, "metadata": map[string]any{
		"kernelspec":    map[string]any{"display_name": "Go (gonb-svm)", "language": "go", "name": "gonb-svm"},
		"language_info": map[string]any{"file_extension": ".go", "mimetype": "text/x-go", "name": "go"}}})
	return b.Bytes(), err
}
