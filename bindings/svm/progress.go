package svm

import (
	"context"
	"fmt"
	"html"
	"os"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/term"

	"github.com/gonb-svm/gonb-svm/kernel/display"
	"github.com/gonb-svm/gonb-svm/solvers"
)

const (
	patience = 500 * time.Millisecond // before anything is shown
	pause    = 200 * time.Millisecond // between two updates
)

// bar shows how far one call has come: nothing for the first half second, then one display that
// is updated in place. Its id begins with "progress-", so that a front end can tell it.
type bar struct {
	show   func(text string, done, total float64) // total 0: unknown
	settle func(text string)                      // what stands there for good
	clear  func()                                 // takes it away

	mu      sync.Mutex
	started time.Time
	last    time.Time // of the latest update; zero: none is shown
	text    string
	curve   curve // of the gap
}

// watch begins a bar on the running cell's output.
func (n *Notebook) watch() *bar {
	b := &bar{started: time.Now()}
	switch out := n.output(); {
	case out != nil:
		b.display(out)
	case term.IsTerminal(int(os.Stderr.Fd())):
		b.show = func(text string, _, _ float64) { fmt.Fprintf(os.Stderr, "\r\x1b[K%s", text) }
		b.settle = func(text string) { fmt.Fprintln(os.Stderr, "\r\x1b[K"+text) }
		b.clear = func() { fmt.Fprint(os.Stderr, "\r\x1b[K") }
	default:
		b.show, b.settle, b.clear = func(string, float64, float64) {}, func(string) {}, func() {}
	}
	return b
}

// display shows the bar by updates of one display.
func (b *bar) display(out display.Output) {
	id, shown := "progress-"+uuid.NewString(), false
	put := func(text, markup string) {
		bundle := display.Bundle{Data: map[string]any{"text/plain": text, "text/html": markup}}
		if shown {
			out.Update(id, bundle)
			return
		}
		shown = true
		out.Display(bundle, id)
	}
	b.clear = func() { out.Update(id, display.Bundle{}) }
	b.show = func(text string, done, total float64) {
		meter := ""
		if total > 0 {
			meter = fmt.Sprintf(`<progress value="%g" max="%g" style="vertical-align:middle"></progress> `, min(done, total), total)
		}
		put(text, meter+`<code style="white-space:pre;background:none">`+html.EscapeString(text)+"</code>"+b.curve.svg())
	}
	b.settle = func(text string) {
		put(text, `<code style="white-space:pre-wrap;background:none">`+html.EscapeString(text)+"</code>")
	}
}

// report shows the state if it is time to.
func (b *bar) report(text string, done, total float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	b.text = text
	if now.Sub(b.started) < patience || now.Sub(b.last) < pause {
		return
	}
	b.last = now
	b.show(text, done, total)
}

// finish takes a bar that was shown away, so that a cell shows the same whether it was slow or
// fast. One that was interrupted stays, and says so.
func (b *bar) finish(ctx context.Context) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.last.IsZero():
	case ctx.Err() != nil:
		b.settle(b.text + "  interrupted")
	default:
		b.clear()
	}
}

// solver is what a solver of the given name reports to:
// "SASSO  4210/100000  |SV| 312  gap 3.1e-03  0:02".
func (b *bar) solver(name string) func(solvers.Progress) {
	return func(p solvers.Progress) {
		count := fmt.Sprint(p.Iteration)
		if p.MaxIterations > 0 {
			count += fmt.Sprintf("/%d", p.MaxIterations)
		}
		text, height := fmt.Sprintf("%s  %s  |SV| %d  gap %.1e  %s", name, count, p.SupportSize, p.Gap, clock(p.Elapsed)), p.Gap
		if name == "Condense" {
			text = fmt.Sprintf("%s  %s passes  %d vectors  validation error %.2f%%  %s", name, count, p.SupportSize, 100*p.Objective, clock(p.Elapsed))
			height = p.Objective
		}
		b.curve.add(height)
		b.report(text,
			float64(p.Iteration), float64(p.MaxIterations))
	}
}

// download is what a data set's download reports to: "a8a.t  0.4 of 1.5 MB  0:02".
func (b *bar) download(file string, done, total int64) {
	const mega = 1e6
	text := fmt.Sprintf("%s  %.1f MB", file, float64(done)/mega)
	if total > 0 {
		text = fmt.Sprintf("%s  %.1f of %.1f MB", file, float64(done)/mega, float64(total)/mega)
	}
	b.report(text+"  "+clock(time.Since(b.started)), float64(done), float64(max(total, 0)))
}

// clock writes a duration as minutes and seconds, with hours where there are some.
func clock(d time.Duration) string {
	seconds := int(d.Seconds())
	if seconds >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	}
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}
