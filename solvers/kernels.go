package solvers

// Kernel is a Mercer kernel K(x, z). Implementations must be safe for concurrent use.
type Kernel interface {
	Eval(x, z Vector) float64
	String() string // "RBF(Gamma=0.5)"
}
