package svm

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"gonum.org/v1/plot"

	"github.com/gonb-svm/gonb-svm/plotting"
	"github.com/gonb-svm/gonb-svm/solvers"
)

// Compare runs methods, solvers or svm.Method with a grid of parameters, on train and judges them
// on test by the default Protocol: in each of 10 random halvings of test the parameters are
// chosen for each support size on the one half, and the error is that of the other. It gives a
// table and a plot, which is nil if no method has a model. It shows how many trials are done. A
// trial that fails is noted below the table. When the cell is interrupted the table is of the trials
// that were finished. It panics with an error if nothing can be compared.
func Compare(train, test *Dataset, methods ...Solver) (*solvers.Comparison, *plot.Plot) {
	return new(Notebook).Compare(train, test, methods...)
}

// CompareBy is Compare by another Protocol: with other splits or support sizes, or with a File that
// keeps the results, so that a comparison that was ended goes on where it was.
func CompareBy(p Protocol, train, test *Dataset, methods ...Solver) (*solvers.Comparison, *plot.Plot) {
	return new(Notebook).CompareBy(p, train, test, methods...)
}

// Compare runs methods, solvers or svm.Method with a grid of parameters, on train and judges them
// on test by the default Protocol: in each of 10 random halvings of test the parameters are
// chosen for each support size on the one half, and the error is that of the other. It gives a
// table and a plot, which is nil if no method has a model. It shows how many trials are done. A
// trial that fails is noted below the table. When the cell is interrupted the table is of the trials
// that were finished. It panics with an error if nothing can be compared.
func (n *Notebook) Compare(train, test *Dataset, methods ...Solver) (*solvers.Comparison, *plot.Plot) {
	return n.CompareBy(Protocol{}, train, test, methods...)
}

// CompareBy is Compare by another Protocol: with other splits or support sizes, or with a File that
// keeps the results, so that a comparison that was ended goes on where it was.
func (n *Notebook) CompareBy(p Protocol, train, test *Dataset, methods ...Solver) (*solvers.Comparison, *plot.Plot) {
	for i, s := range methods {
		if s == nil {
			panic(fmt.Errorf("Compare: method %d is nil: want a solver such as svm.ISSVM{Aggressive: true}, or a svm.Method", i+1))
		}
	}
	ctx, bar := n.context(), n.watch()
	told, end := bar.trials()
	c, err := p.Compare(solvers.WithTrials(ctx, told), train, test, methods...)
	end()
	bar.finish(ctx)
	if err != nil && (c == nil || len(c.Trials) == 0 || !errors.Is(err, ctx.Err())) {
		panic(err)
	}
	return drawn(c)
}

// drawn is a comparison with its plot, nil if there is no model to draw.
func drawn(c *solvers.Comparison) (*solvers.Comparison, *plot.Plot) {
	var shown []*Path
	for _, path := range c.Paths {
		if len(path.Points) > 0 {
			shown = append(shown, path)
		}
	}
	p, err := plotting.Tradeoff(shown...)
	if err != nil {
		return c, nil
	}
	return c, p
}

// trials is what a comparison reports to: "12/40 trials  SASSO(Points=20)  0:31". The clock goes on
// until end is called.
func (b *bar) trials() (told func(done, total int, last *solvers.TrialResult), end func()) {
	var mutex sync.Mutex
	text, share, whole := "trials", 0.0, 0.0
	show := func() {
		mutex.Lock()
		defer mutex.Unlock()
		b.report(text+"  "+clock(time.Since(b.started)), share, whole)
	}
	told = func(done, total int, last *solvers.TrialResult) {
		mutex.Lock()
		text, share, whole = fmt.Sprintf("%d/%d trials", done, total), float64(done), float64(total)
		if last != nil {
			text += "  " + last.Trial.Method
		}
		mutex.Unlock()
		show()
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	ticker := time.NewTicker(pause)
	go func() {
		defer close(stopped)
		for {
			select {
			case <-ticker.C:
				show()
			case <-stop:
				return
			}
		}
	}()
	return told, func() {
		ticker.Stop()
		close(stop)
		<-stopped
	}
}
