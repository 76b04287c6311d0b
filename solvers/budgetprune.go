package solvers

import "context"

// leaveOut is the optimum with all but its Budget largest coefficients left out.
func (f *budgetFit) leaveOut() *Model {
	beta := make([]float64, f.train.Len())
	for _, k := range f.full.largest(f.used.Budget) {
		beta[f.full.Indices[k]] = f.full.Coefficients[k]
	}
	return newModel(f.used.Kernel, f.train, beta, f.full.Bias)
}

// prune keeps the Budget largest weights and fits coefficients and bias again on all rows. The
// largest weights are those of the rows that are hardest to classify: a w̃ near w would repeat its
// mistakes there and miss the rest.
func (f *budgetFit) prune(ctx context.Context) error {
	settings := Settings{Workers: f.used.Settings.Workers, CacheMB: f.used.Settings.CacheMB, Progress: func(Progress) {}}
	refit, err := Refit{Reference: f.leaveOut(), C: f.used.C, Settings: settings}.Fit(ctx, f.train)
	if refit == nil {
		return err
	}
	f.pruned, f.primal = refit.Model, 0
	rows := newRows(f.used.Kernel, f.train.X, settings)
	responses := make([]float64, f.train.Len())
	if err := rows.combine(ctx, f.pruned.SupportVectors, f.pruned.Coefficients, responses); err != nil {
		return err
	}
	f.evaluations += refit.KernelEvaluations + rows.evaluations
	for k, i := range f.pruned.Indices {
		f.primal += f.pruned.Coefficients[k] * responses[i] / 2
	}
	p := f.dual
	for i, y := range f.train.Y {
		responses[i] = p.weights[p.classes[i]] * max(0, 1-y*(responses[i]+f.pruned.Bias))
	}
	f.primal += p.norm.value(responses)
	return err
}
