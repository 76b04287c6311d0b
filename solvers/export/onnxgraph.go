package export

import "github.com/gonb-svm/gonb-svm/solvers"

// classifierGraph is an SVMClassifier. Its vectors are in the order of their classes. Its scores are
// -f(x) and f(x), as the labels stand with the greater one first.
func classifierGraph(g *graph, in *input) {
	var vectors, coefficients []float64
	counts := make([]int, 2)
	if in.kernel.kind == linear {
		// One vector instead of a sum of many in single precision.
		vectors, coefficients, counts[0] = dense(weights(in.model, in.dim), in.dim), []float64{1}, 1
	} else {
		vectors, coefficients = byClass(in, counts)
	}
	k := in.kernel
	name := [...]string{linear: "LINEAR", rbf: "RBF", poly: "POLY", sigmoid: "SIGMOID"}[k.kind]
	g.node("ai.onnx.ml", "SVMClassifier", []string{"X"}, []string{"class", "scores"},
		intsAttribute("classlabels_ints", []int{in.labels[1], in.labels[0]}),
		floatsAttribute("coefficients", coefficients),
		floatsAttribute("kernel_params", []float64{k.gamma, k.coef0, float64(k.degree)}),
		textAttribute("kernel_type", name),
		textAttribute("post_transform", "NONE"),
		floatsAttribute("rho", []float64{in.model.Bias}),
		floatsAttribute("support_vectors", vectors),
		intsAttribute("vectors_per_class", counts))
	g.integers("first", []int64{1}, 1)
	g.integers("second", []int64{2}, 1)
	g.integers("columns", []int64{1}, 1)
	g.node("", "Slice", []string{"scores", "first", "second", "columns"}, []string{"decision"})
	g.node("", "Identity", []string{"class"}, []string{"label"})
}

// byClass are the vectors with positive coefficients, then the others, and their numbers.
func byClass(in *input, counts []int) (vectors, coefficients []float64) {
	for class, wantPositive := range []bool{true, false} {
		for i, beta := range in.model.Coefficients {
			if (beta > 0) == wantPositive {
				vectors = append(vectors, dense(in.model.SupportVectors[i], in.dim)...)
				coefficients = append(coefficients, beta)
				counts[class]++
			}
		}
	}
	return vectors, coefficients
}

// plainGraph computes f(x) = Σ βᵢ K(sᵢ, x) + b by matrix products in double precision.
func plainGraph(g *graph, in *input) {
	m, k := in.model, in.kernel
	n := max(m.SupportSize(), 1)
	transposed, norms, beta := make([]float64, in.dim*n), make([]float64, n), make([]float64, n)
	copy(beta, m.Coefficients)
	for i, s := range m.SupportVectors {
		for p, j := range s.Index {
			transposed[int(j)*n+i] = s.Value[p]
			norms[i] += s.Value[p] * s.Value[p]
		}
	}
	g.doubles("vectors", transposed, in.dim, n)
	g.doubles("coefficients", beta, n, 1)
	g.doubles("bias", []float64{m.Bias})
	g.doubles("gamma", []float64{k.gamma})
	g.node("", "Cast", []string{"X"}, []string{"rows"}, intAttribute("to", elemDouble))
	g.node("", "MatMul", []string{"rows", "vectors"}, []string{"products"})
	switch k.kind {
	case linear:
		g.node("", "Identity", []string{"products"}, []string{"values"})
	case rbf:
		rbfNodes(g, norms)
	default:
		dotNodes(g, k)
	}
	g.node("", "MatMul", []string{"values", "coefficients"}, []string{"sums"})
	g.node("", "Add", []string{"sums", "bias"}, []string{"decisions"})
	g.node("", "Cast", []string{"decisions"}, []string{"decision"}, intAttribute("to", elemFloat))

	g.doubles("zero", []float64{0})
	g.integers("columns", []int64{1}, 1)
	g.integers("negative", []int64{int64(in.labels[0])})
	g.integers("positive", []int64{int64(in.labels[1])})
	g.node("", "Less", []string{"decisions", "zero"}, []string{"below"})
	g.node("", "Squeeze", []string{"below", "columns"}, []string{"isNegative"})
	g.node("", "Where", []string{"isNegative", "negative", "positive"}, []string{"label"})
}

// rbfNodes are exp(-γ max(0, ‖x‖² + ‖s‖² - 2xᵀs)).
func rbfNodes(g *graph, norms []float64) {
	g.doubles("norms", norms, 1, len(norms))
	g.doubles("two", []float64{2})
	g.doubles("none", []float64{0})
	g.node("", "Mul", []string{"rows", "rows"}, []string{"squares"})
	g.integers("features", []int64{1}, 1)
	g.node("", "ReduceSum", []string{"squares", "features"}, []string{"rowNorms"}, intAttribute("keepdims", 1))
	g.node("", "Add", []string{"rowNorms", "norms"}, []string{"bothNorms"})
	g.node("", "Mul", []string{"products", "two"}, []string{"twice"})
	g.node("", "Sub", []string{"bothNorms", "twice"}, []string{"differences"})
	g.node("", "Max", []string{"differences", "none"}, []string{"distances"})
	g.node("", "Mul", []string{"distances", "gamma"}, []string{"scaled"})
	g.node("", "Neg", []string{"scaled"}, []string{"exponents"})
	g.node("", "Exp", []string{"exponents"}, []string{"values"})
}

// dotNodes are (γxᵀs + Coef0)^Degree or tanh(γxᵀs + Coef0).
func dotNodes(g *graph, k kernel) {
	g.doubles("coef0", []float64{k.coef0})
	g.node("", "Mul", []string{"products", "gamma"}, []string{"scaled"})
	g.node("", "Add", []string{"scaled", "coef0"}, []string{"arguments"})
	if k.kind == sigmoid {
		// Tanh of double is optional in runtimes: tanh(z) = 1 - 2/(exp(2z) + 1).
		g.doubles("two", []float64{2})
		g.doubles("one", []float64{1})
		g.node("", "Mul", []string{"arguments", "two"}, []string{"doubled"})
		g.node("", "Exp", []string{"doubled"}, []string{"powers"})
		g.node("", "Add", []string{"powers", "one"}, []string{"denominators"})
		g.node("", "Div", []string{"two", "denominators"}, []string{"parts"})
		g.node("", "Sub", []string{"one", "parts"}, []string{"values"})
		return
	}
	g.doubles("degree", []float64{float64(k.degree)})
	g.node("", "Pow", []string{"arguments", "degree"}, []string{"values"})
}

// dense is a vector with its zeros.
func dense(x solvers.Vector, dim int) []float64 {
	out := make([]float64, dim)
	for p, j := range x.Index {
		out[j] = x.Value[p]
	}
	return out
}
