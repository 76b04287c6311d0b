package bindings

import (
	"context"
	"strings"
	"testing"

	"github.com/gonb-svm/gonb-svm/kernel/display"
)

// paged is an output with a pager.
type paged struct {
	display.Output
	pages []display.Bundle
}

func (p *paged) Page(b display.Bundle) { p.pages = append(p.pages, b) }

func TestQuestion(t *testing.T) {
	s, err := NewSession(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, source := range []string{"fmt.Println?", "?fmt.Println", " svm.Fit?? ", "svm.ISSVM?"} {
		out := &paged{}
		outcome := s.Execute(context.Background(), display.Cell{Count: 1, Source: source}, out)
		if outcome.Failure != nil || outcome.Result != nil || len(out.pages) != 1 {
			t.Errorf("%s: outcome %v, %d pages: want one page", source, outcome, len(out.pages))
			continue
		}
		name := strings.Trim(source, " ?")
		if text := out.pages[0].Data["text/plain"].(string); !strings.Contains(text, name[strings.Index(name, ".")+1:]) {
			t.Errorf("%s: the page says %.100q", source, text)
		}
	}
	if outcome, ok := s.answer(display.Cell{Source: "nosuchname?"}, &paged{}); !ok || outcome.Failure == nil {
		t.Errorf("an unknown name gave %v", outcome)
	}
	for _, source := range []string{"x", "?x?", "x + y?", "", "?"} {
		if _, ok := s.answer(display.Cell{Source: source}, &paged{}); ok {
			t.Errorf("%q was taken for a question", source)
		}
	}
}
