package solvers

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/gonb-svm/gonb-svm/solvers/internal/gram"
	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// A run of L-BFGS ends when steadySteps steps lower the objective by less than steadyShare of it.
const (
	steadySteps = 20
	steadyShare = 1e-6
)

func (p *moving) quasiNewton(ctx context.Context, run *loop.Run, after func(done int) error) error {
	l := &lbfgs{scale: p.scales(), evaluate: func(x, gradient []float64) (float64, error) {
		p.evaluations += p.passCost()
		return p.expansion.Evaluate(ctx, x, gradient)
	}}
	if err := l.start(append([]float64(nil), p.theta...)); err != nil {
		run.Next(p.state)
		return err
	}
	var past []float64
	for p.done < p.used.Passes && run.Next(p.state) {
		moved, err := l.step(ctx)
		if err != nil {
			run.Abandon()
			return err
		}
		p.done++
		copy(p.theta, l.x)
		p.keep(l.value)
		if after != nil {
			if err := after(p.done); err != nil {
				return err
			}
		}
		past = append(past, l.value)
		steady := len(past) > steadySteps && past[len(past)-1-steadySteps]-l.value <= steadyShare*math.Abs(l.value)
		if !moved || steady {
			p.done = p.used.Passes // nothing is left to do
		}
	}
	return nil
}

// scales are the usual sizes of the parameters, as the rates of Adam have them.
func (p *moving) scales() []float64 {
	scale := make([]float64, len(p.theta))
	vectors := p.expansion.Vectors * p.train.Dim
	weight := 3 * max(rms(p.used.Reference.Coefficients), 1e-6)
	feature := p.rate() / 0.01
	for i := range scale {
		switch {
		case i < vectors:
			scale[i] = feature
		case i <= vectors+p.expansion.Vectors:
			scale[i] = weight
		default:
			scale[i] = 1
		}
	}
	return scale
}

const (
	// jitterDistance is what noise adds to γ‖x-z‖² on average: 0.105 on twelve features at γ = 1. On
	// ijcnn1 with 25 vectors 0.075 to 0.12 are alike, and 0.15 and 0.2 worse.
	jitterDistance = 0.13
	// realValues is the number of different values from which on a feature counts as real.
	realValues = 16
	// jitterEntries bounds the numbers that copies are made of.
	jitterEntries = 8e6
)

// taught are the rows and as many copies of each with noise on the real features, and the
// teacher's responses.
func taught(ctx context.Context, train *Dataset, teacher *Model, copies int, s Settings) ([]Vector, []float64, error) {
	x := train.X
	if noise := realNoise(train, teacher.Kernel); noise != nil && copies > 0 {
		random := rand.New(rand.NewPCG(s.Seed, 0x717))
		entries := 0
		for _, row := range train.X {
			entries += len(row.Index)
		}
		copies = min(copies, int(jitterEntries/float64(max(entries, 1))))
		x = append([]Vector(nil), train.X...)
		for range copies {
			for _, row := range train.X {
				x = append(x, jittered(row, noise, random))
			}
		}
	}
	target := make([]float64, len(x))
	kernel, own := gramKernel(teacher.Kernel)
	if !own {
		kernel = gram.Kernel{Kind: gram.Custom, Eval: teacher.Kernel.Eval}
	}
	err := gram.NewMatrix(gram.NewPoints(x), kernel, gram.Single, s.Workers).Add(ctx, teacher.SupportVectors, teacher.Coefficients, target)
	for i := range target {
		target[i] += teacher.Bias
	}
	return x, target, err
}

func jittered(x Vector, noise []float64, random *rand.Rand) Vector {
	value := make([]float64, len(x.Value))
	for k, j := range x.Index {
		value[k] = x.Value[k]
		if noise[j] > 0 {
			value[k] += noise[j] * random.NormFloat64()
		}
	}
	return Vector{Index: x.Index, Value: value}
}

// realNoise is the standard deviation of the noise for each feature: the same for all, as the kernel
// looks at all alike, but no more than the feature's own. It is 0 for features of few values, and nil
// if no feature is real.
func realNoise(train *Dataset, kernel Kernel) []float64 {
	sum, square := make([]float64, train.Dim), make([]float64, train.Dim)
	seen := make([]map[float64]bool, train.Dim)
	n := float64(train.Len())
	for _, x := range train.X {
		for k, j := range x.Index {
			v := x.Value[k]
			sum[j] += v
			square[j] += v * v
			if seen[j] == nil {
				seen[j] = map[float64]bool{}
			}
			if len(seen[j]) < realValues {
				seen[j][v] = true
			}
		}
	}
	noise, real := make([]float64, train.Dim), 0.0
	for j := range noise {
		if len(seen[j]) < realValues {
			continue
		}
		variance := max(square[j]/n-(sum[j]/n)*(sum[j]/n), 0)
		noise[j] = math.Sqrt(variance)
		if variance > 0 {
			real++
		}
	}
	if real == 0 {
		return nil
	}
	if rbf, ok := kernel.(RBF); ok {
		most := math.Sqrt(jitterDistance / (rbf.Gamma * real))
		for j := range noise {
			noise[j] = min(noise[j], most)
		}
		return noise
	}
	for j := range noise {
		noise[j] /= 2
	}
	return noise
}
