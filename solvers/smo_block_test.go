package solvers

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// mixture is n rows of two overlapping classes in dim features, some rows twice.
func mixture(n, dim int, seed uint64) *Dataset {
	r := rand.New(rand.NewPCG(seed, 99))
	d := &Dataset{Name: "mixture", Dim: dim, Labels: []float64{-1, 1}}
	for i := range n {
		y := float64(2*(i%2) - 1)
		if i > 10 && r.IntN(20) == 0 {
			d.X, d.Y = append(d.X, d.X[r.IntN(i)]), append(d.Y, y)
			continue
		}
		var x Vector
		for j := range dim {
			x.Index = append(x.Index, int32(j))
			x.Value = append(x.Value, r.NormFloat64()+0.4*y*float64(j%2))
		}
		d.X, d.Y = append(d.X, x), append(d.Y, y)
	}
	return d
}

// dualCases are the forms of a dual, on the rows of d.
func dualCases(d *Dataset, c float64) map[string]*dual {
	n := d.Len()
	constant := func(n int, v float64) []float64 { return slices.Repeat([]float64{v}, n) }
	svc := func(c float64) *dual {
		p := &dual{x: d.X, target: d.Y, lower: make([]float64, n), upper: make([]float64, n), beta: make([]float64, n)}
		for t, y := range d.Y {
			if y > 0 {
				p.upper[t] = c
			} else {
				p.lower[t] = -2 * c
			}
		}
		return p
	}
	cases := map[string]*dual{"hinge": svc(c), "squared hinge": svc(math.Inf(1)), "warm start": svc(c), "nu": svc(1)}
	cases["squared hinge"].ridge = constant(n, 1/(2*c))
	for k := range n / 3 {
		t := 3 * k
		if u := t + 1; u < n && d.Y[t] != d.Y[u] {
			cases["warm start"].beta[t], cases["warm start"].beta[u] = d.Y[t]*c/2, d.Y[u]*c/2
		}
	}
	nu := cases["nu"]
	nu.target, nu.group = make([]float64, n), make([]uint8, n)
	share := [2]float64{0.3, 0.3}
	for t, y := range d.Y {
		nu.group[t] = uint8(y+1) / 2
		nu.lower[t], nu.upper[t] = min(y, 0), max(y, 0)
		nu.beta[t] = y * share[nu.group[t]]
	}
	svr := &dual{x: d.X, lower: make([]float64, 2*n), upper: make([]float64, 2*n), beta: make([]float64, 2*n)}
	for t, x := range d.X {
		z := 0.3*x.Value[0] + d.Y[t]
		svr.point, svr.target = append(svr.point, t), append(svr.target, z-0.1)
		svr.upper[t] = c
	}
	for t, x := range d.X {
		z := 0.3*x.Value[0] + d.Y[t]
		svr.point, svr.target = append(svr.point, t), append(svr.target, z+0.1)
		svr.lower[n+t] = -c
	}
	cases["regression"] = svr
	return cases
}

func solveDual(t *testing.T, d *dual, k Kernel, epsilon float64, workers int) (objective float64, residual []float64) {
	t.Helper()
	fast, ok := gramKernel(k)
	if !ok {
		t.Fatal("not a kernel of the package")
	}
	run := startRun(context.Background(), Settings{}, 1e8)
	b := &blocks{dual: d, kernel: fast, workers: workers, epsilon: epsilon, run: run, inner: newInner(len(d.target))}
	residual, _, err := b.solve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return b.objective, residual
}

// conditions recomputes in plain float64 what holds at β: the objective, the violation, and by
// how much bounds and sums are broken.
func conditions(d *dual, k Kernel, start []float64) (objective, violation, infeasible float64) {
	var sums [2]float64
	most, least := [2]float64{math.Inf(-1), math.Inf(-1)}, [2]float64{math.Inf(1), math.Inf(1)}
	at := func(t int) int {
		if d.point == nil {
			return t
		}
		return d.point[t]
	}
	byPoint := make([]float64, len(d.x))
	for t, b := range d.beta {
		byPoint[at(t)] += b
	}
	response := make([]float64, len(d.x))
	for i := range d.x {
		for j, b := range byPoint {
			if b != 0 {
				response[i] += b * k.Eval(d.x[i], d.x[j])
			}
		}
	}
	for t, b := range d.beta {
		r, g := d.target[t]-response[at(t)], d.groupOf(t)
		objective += b * (0.5*response[at(t)] - d.target[t])
		if d.ridge != nil {
			r -= d.ridge[t] * b
			objective += 0.5 * d.ridge[t] * b * b
		}
		sums[g] += b - start[t]
		infeasible = max(infeasible, b-d.upper[t], d.lower[t]-b)
		if b < d.upper[t] {
			most[g] = max(most[g], r)
		}
		if b > d.lower[t] {
			least[g] = min(least[g], r)
		}
	}
	for g := range most {
		violation = max(violation, most[g]-least[g])
	}
	return objective, violation, max(infeasible, math.Abs(sums[0]), math.Abs(sums[1]))
}

// All forms reach their optimum, in one block and in many, in float64 and after float32.
func TestBlocksOptimum(t *testing.T) {
	checked := 0
	for _, n := range []int{5, 63, 400, 2500} {
		d := mixture(n, 6, uint64(n))
		for _, k := range []Kernel{RBF{Gamma: 0.3}, Linear{}} {
			for name, p := range dualCases(d, 2) {
				t.Run(fmt.Sprintf("%d/%v/%s", n, k, name), func(t *testing.T) {
					start := slices.Clone(p.beta)
					const epsilon = 1e-4
					objective, residual := solveDual(t, p, k, epsilon, 2)
					want, violation, infeasible := conditions(p, k, start)
					size := 0.0
					for _, beta := range p.beta {
						size += math.Abs(beta)
					}
					if math.Abs(objective-want) > 1e-7*(1+size) {
						t.Errorf("objective %.10g, recomputed %.10g", objective, want)
					}
					// A quarter is left for errors of float32.
					if violation > 1.5*epsilon {
						t.Errorf("violation %g", violation)
					}
					if infeasible > 1e-10*float64(n) {
						t.Errorf("constraints broken by %g", infeasible)
					}
					if len(residual) != len(p.target) {
						t.Errorf("%d residuals", len(residual))
					}
					checked++
				})
			}
		}
	}
	if checked != 4*2*5 {
		t.Errorf("checked %d", checked)
	}
}

// The plain solver, which a kernel of one's own gets, and the block solver agree where float32
// alone would not do.
func TestBlocksAgreeWithPlain(t *testing.T) {
	scaled := mixture(2100, 4, 3)
	for i, x := range scaled.X {
		value := slices.Clone(x.Value)
		value[0] = 1000 + 100*value[0]
		value[1] *= 1e-4
		value[2] = 7 // the same in all rows
		scaled.X[i].Value = value
	}
	for name, c := range map[string]struct {
		d       *Dataset
		gamma   float64
		c       float64
		epsilon float64
	}{
		"tight":          {mixture(2100, 4, 1), 0.5, 1, 1e-6},
		"large C":        {mixture(300, 4, 2), 0.5, 1e4, 1e-3},
		"bad scale":      {scaled, 1e-4, 10, 1e-4},
		"tiny gamma":     {mixture(2100, 4, 4), 1e-6, 100, 1e-4},
		"huge gamma":     {mixture(2100, 4, 5), 1e4, 1, 1e-4},
		"fewer than 64":  {mixture(20, 4, 6), 0.5, 10, 1e-6},
		"one each":       {mixture(2, 4, 7), 0.5, 10, 1e-6},
		"float32 enough": {mixture(2100, 4, 8), 0.5, 1, 1e-3},
	} {
		t.Run(name, func(t *testing.T) {
			k := RBF{Gamma: c.gamma}
			s := SMO{Kernel: k, C: c.c, Epsilon: c.epsilon}
			fast, err := s.Fit(context.Background(), c.d)
			if err != nil {
				t.Fatal(err)
			}
			s.Kernel = KernelFunc(k.Eval)
			plain, err := s.Fit(context.Background(), c.d)
			if err != nil {
				t.Fatal(err)
			}
			// Both are within their gap of the optimum: a change of β by C in each of n rows
			// at a violation of ε is the most that the objectives can differ by.
			slack := 1e-6*math.Abs(plain.Objective) + 0.1*c.epsilon*c.c
			if math.Abs(fast.Objective-plain.Objective) > slack {
				t.Errorf("objective %.10g, plain %.10g ± %.2g", fast.Objective, plain.Objective, slack)
			}
			if fast.Status != Converged || fast.Gap > c.epsilon {
				t.Errorf("%v with gap %g", fast.Status, fast.Gap)
			}
		})
	}
}

func TestBlocksDoNotDependOnWorkers(t *testing.T) {
	d := mixture(5000, 5, 1)
	var models [2]*Result
	for i, workers := range []int{1, 4} {
		r, err := SMO{Kernel: RBF{Gamma: 0.5}, C: 3, Settings: Settings{Workers: workers}}.Fit(context.Background(), d)
		if err != nil {
			t.Fatal(err)
		}
		models[i] = r
	}
	a, b := models[0], models[1]
	if !slices.Equal(a.Coefficients, b.Coefficients) || a.Bias != b.Bias || a.Objective != b.Objective || a.Iterations != b.Iterations {
		t.Error("1 and 4 workers give different models")
	}
	if a.Iterations == 0 || a.SupportSize() < 100 {
		t.Errorf("%v: too easy to tell", a)
	}
}

// A run that is ended early leaves a feasible model and its objective.
func TestBlocksEndedEarly(t *testing.T) {
	d := mixture(6000, 5, 2)
	k := RBF{Gamma: 0.5}
	check := func(t *testing.T, r *Result, exact bool) {
		t.Helper()
		p := &dual{x: d.X, target: d.Y, beta: make([]float64, d.Len()), lower: make([]float64, d.Len()), upper: make([]float64, d.Len())}
		for i, row := range r.Indices {
			p.beta[row] = r.Coefficients[i]
		}
		for i, y := range d.Y {
			p.lower[i], p.upper[i] = min(3*y, 0), max(3*y, 0)
		}
		objective, violation, infeasible := conditions(p, k, make([]float64, d.Len()))
		if infeasible > 1e-9 {
			t.Errorf("constraints broken by %g", infeasible)
		}
		if math.Abs(r.Objective-objective) > 1e-4*math.Abs(objective) {
			t.Errorf("objective %g, recomputed %g", r.Objective, objective)
		}
		if exact && math.Abs(r.Gap-violation) > 1e-3*violation {
			t.Errorf("gap %g, recomputed %g", r.Gap, violation)
		}
	}
	for _, limit := range []int{1, 10, 1000} {
		r, err := SMO{Kernel: k, C: 3, Settings: Settings{MaxIterations: limit}}.Fit(context.Background(), d)
		if err != nil || r.Status != IterationLimit || r.Iterations != limit {
			t.Fatalf("%v after %d iterations, error %v", r.Status, r.Iterations, err)
		}
		check(t, r, true)
	}
	ctx, cancel := context.WithCancel(context.Background())
	progress := WithProgress(ctx, func(p Progress) { cancel() })
	r, err := SMO{Kernel: k, C: 3, Epsilon: 1e-9}.Fit(progress, d)
	if err == nil || r.Status != Canceled {
		t.Fatalf("%v, error %v", r.Status, err)
	}
	check(t, r, false)
	ended, stop := context.WithCancel(context.Background())
	stop()
	if r, err := (SMO{Kernel: k}).Fit(ended, d); err == nil || r == nil || r.SupportSize() != 0 {
		t.Errorf("a context that had ended: %v, %v", r, err)
	}
	r, err = SMO{Kernel: k, C: 3, Epsilon: 1e-12, Settings: Settings{MaxTime: 30 * time.Millisecond}}.Fit(context.Background(), d)
	if err != nil || r.Status != TimeLimit {
		t.Fatalf("%v, error %v", r.Status, err)
	}
	check(t, r, true)
}

// A run that is interrupted within a block keeps what the block has reached: here all of the
// problem is one block, and the run would need millions of steps.
func TestBlocksInterruptedWithin(t *testing.T) {
	for _, n := range []int{600, 1500} {
		d := mixture(n, 2, 3)
		r := rand.New(rand.NewPCG(8, 8))
		for i := range d.Y {
			d.Y[i] = float64(2*r.IntN(2) - 1)
		}
		k := RBF{Gamma: 0.5}
		ctx, cancel := context.WithCancel(context.Background())
		told := WithProgress(ctx, func(p Progress) {
			if p.Iteration > 5000 {
				cancel()
			}
		})
		result, err := SMO{Kernel: k, C: 1e6, Epsilon: 1e-6}.Fit(told, d)
		if err == nil || result.Status != Canceled || result.Iterations <= 5000 {
			t.Fatalf("%d rows: %v, error %v", n, result, err)
		}
		p := &dual{x: d.X, target: d.Y, beta: make([]float64, n), lower: make([]float64, n), upper: make([]float64, n)}
		for i, row := range result.Indices {
			p.beta[row] = result.Coefficients[i]
		}
		for i, y := range d.Y {
			p.lower[i], p.upper[i] = min(1e6*y, 0), max(1e6*y, 0)
		}
		objective, _, infeasible := conditions(p, k, make([]float64, n))
		if result.SupportSize() < 100 || !(objective < -1000) || infeasible > 1e-4 {
			t.Errorf("%d rows: %d support vectors, objective %g, constraints broken by %g", n, result.SupportSize(), objective, infeasible)
		}
		if math.Abs(result.Objective-objective) > 1e-6*math.Abs(objective) {
			t.Errorf("%d rows: objective %g, recomputed %g", n, result.Objective, objective)
		}
		if n > blockSize {
			continue
		}
		// All is known: the bias is the mean residual of the coefficients between their bounds.
		sum, free := 0.0, 0.0
		for t, beta := range p.beta {
			if p.lower[t] < beta && beta < p.upper[t] {
				sum += d.Y[t] - (result.Decision(d.X[t]) - result.Bias)
				free++
			}
		}
		if free == 0 || math.Abs(result.Bias-sum/free) > 1e-3 {
			t.Errorf("bias %g, of %g free coefficients %g", result.Bias, free, sum/free)
		}
	}
}

func TestGreatest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	checked := 0
	for range 500 {
		c := make([]candidate, 1+r.IntN(50))
		for i := range c {
			c[i] = candidate{float64(r.IntN(10)), i}
		}
		k := r.IntN(len(c) + 1)
		greatest(context.Background(), c, k)
		for _, a := range c[:k] {
			for _, b := range c[k:] {
				if a.violation < b.violation {
					t.Fatalf("%v: not the %d greatest first", c, k)
				}
				checked++
			}
		}
	}
	if checked == 0 {
		t.Error("nothing checked")
	}
}
