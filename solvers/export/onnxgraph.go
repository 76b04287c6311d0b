package export

import "github.com/gonb-svm/gonb-svm/solvers"

// classifierGraph is an SVMClassifier. Its vectors are in the order of their classes, and the decision
// value of a pair speaks for the first class of the two, ours for the second. With two classes its scores
// are -f(x) and f(x), as the labels stand with the greater one first.
func classifierGraph(g *graph, in *input) {
	labels, rho := in.labels, make([]float64, in.machines())
	var vectors, coefficients []float64
	var counts []int
	if in.several() {
		vectors, coefficients, counts = byPair(in)
		for m, b := range in.biases {
			rho[m] = -b
		}
	} else {
		vectors, coefficients, counts = byClass(in)
		labels, rho[0] = []int{in.labels[1], in.labels[0]}, in.biases[0]
	}
	k := in.kernel
	name := [...]string{linear: "LINEAR", rbf: "RBF", poly: "POLY", sigmoid: "SIGMOID"}[k.kind]
	g.node("ai.onnx.ml", "SVMClassifier", []string{"X"}, []string{"class", "scores"},
		intsAttribute("classlabels_ints", labels),
		floatsAttribute("coefficients", coefficients),
		floatsAttribute("kernel_params", []float64{k.gamma, k.coef0, float64(k.degree)}),
		textAttribute("kernel_type", name),
		textAttribute("post_transform", "NONE"),
		floatsAttribute("rho", rho),
		floatsAttribute("support_vectors", vectors),
		intsAttribute("vectors_per_class", counts))
	if in.several() {
		g.node("", "Neg", []string{"scores"}, []string{"decision"})
	} else {
		g.integers("first", []int64{1}, 1)
		g.integers("second", []int64{2}, 1)
		g.integers("columns", []int64{1}, 1)
		g.node("", "Slice", []string{"scores", "first", "second", "columns"}, []string{"decision"})
	}
	g.node("", "Identity", []string{"class"}, []string{"label"})
}

// byClass are the vectors with positive coefficients, then the others, and their numbers.
func byClass(in *input) (vectors, coefficients []float64, counts []int) {
	all, terms := in.reduced()
	counts = make([]int, 2)
	for class, wantPositive := range []bool{true, false} {
		for i, of := range terms {
			if beta := of[0].beta; (beta > 0) == wantPositive {
				vectors = append(vectors, dense(all[i], in.dim)...)
				coefficients = append(coefficients, beta)
				counts[class]++
			}
		}
	}
	return vectors, coefficients, counts
}

// byPair are the vectors class by class, with a coefficient against each of the other classes: those
// against the first of the others for all vectors, then against the second and so on. What a vector does in
// pairs that have no class in common is done by copies of it.
func byPair(in *input) (vectors, coefficients []float64, counts []int) {
	type placed struct {
		vector  solvers.Vector
		against []float64
	}
	classes := make([][]placed, len(in.labels))
	all, terms := in.reduced()
	for i, x := range all {
		left := terms[i]
		for len(left) > 0 {
			class := in.commonClass(left)
			p := placed{x, make([]float64, len(in.labels)-1)}
			var others []term
			for _, t := range left {
				other := in.positive[t.machine] + in.negative[t.machine] - class
				if class != in.positive[t.machine] && class != in.negative[t.machine] {
					others = append(others, t)
					continue
				}
				if other > class {
					other--
				}
				p.against[other] -= t.beta
			}
			classes[class], left = append(classes[class], p), others
		}
	}
	counts = make([]int, len(classes))
	for c, of := range classes {
		counts[c] = len(of)
		for _, p := range of {
			vectors = append(vectors, dense(p.vector, in.dim)...)
		}
	}
	for other := range len(classes) - 1 {
		for _, of := range classes {
			for _, p := range of {
				coefficients = append(coefficients, p.against[other])
			}
		}
	}
	return vectors, coefficients, counts
}

// commonClass is the class that most machines of the terms have, of equal ones that for which the
// first coefficient speaks.
func (in *input) commonClass(terms []term) int {
	count := make([]int, len(in.labels))
	for _, t := range terms {
		count[in.positive[t.machine]]++
		count[in.negative[t.machine]]++
	}
	best := in.positive[terms[0].machine]
	if terms[0].beta < 0 {
		best = in.negative[terms[0].machine]
	}
	for c, n := range count {
		if n > count[best] {
			best = c
		}
	}
	return best
}

// plainGraph computes f(x) = Σ βᵢ K(sᵢ, x) + b of each machine by matrix products in double precision.
func plainGraph(g *graph, in *input) {
	k, machines := in.kernel, in.machines()
	n := max(len(in.vectors), 1)
	transposed, norms, beta := make([]float64, in.dim*n), make([]float64, n), make([]float64, n*machines)
	for i, s := range in.vectors {
		for _, t := range in.terms[i] {
			beta[i*machines+t.machine] += t.beta
		}
		for p, j := range s.Index {
			transposed[int(j)*n+i] = s.Value[p]
			norms[i] += s.Value[p] * s.Value[p]
		}
	}
	g.doubles("vectors", transposed, in.dim, n)
	g.doubles("coefficients", beta, n, machines)
	g.doubles("bias", in.biases, 1, machines)
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

	if in.several() {
		choiceNodes(g, in)
		return
	}
	g.doubles("zero", []float64{0})
	g.integers("columns", []int64{1}, 1)
	g.integers("negative", []int64{int64(in.labels[0])})
	g.integers("positive", []int64{int64(in.labels[1])})
	g.node("", "Less", []string{"decisions", "zero"}, []string{"below"})
	g.node("", "Squeeze", []string{"below", "columns"}, []string{"isNegative"})
	g.node("", "Where", []string{"isNegative", "negative", "positive"}, []string{"label"})
}

// choiceNodes are the label of the class with most votes, or with the greatest decision value.
func choiceNodes(g *graph, in *input) {
	scores := "decisions"
	if in.negative != nil {
		// A machine below 0 takes its vote from the one class and gives it to the other.
		k := len(in.labels)
		votes, moved := make([]float64, k), make([]float64, in.machines()*k)
		for m := range in.positive {
			votes[in.positive[m]]++
			moved[m*k+in.positive[m]]--
			moved[m*k+in.negative[m]]++
		}
		g.doubles("zero", []float64{0})
		g.doubles("votes", votes, 1, k)
		g.doubles("moved", moved, in.machines(), k)
		g.node("", "Less", []string{"decisions", "zero"}, []string{"below"})
		g.node("", "Cast", []string{"below"}, []string{"belowZero"}, intAttribute("to", elemDouble))
		g.node("", "MatMul", []string{"belowZero", "moved"}, []string{"changes"})
		g.node("", "Add", []string{"changes", "votes"}, []string{"scores"})
		scores = "scores"
	}
	labels := make([]int64, len(in.labels))
	for c, label := range in.labels {
		labels[c] = int64(label)
	}
	g.integers("labels", labels, len(labels))
	g.node("", "ArgMax", []string{scores}, []string{"winner"}, intAttribute("axis", 1), intAttribute("keepdims", 0))
	g.node("", "Gather", []string{"labels", "winner"}, []string{"label"})
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
