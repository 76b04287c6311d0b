// Package solvers trains support vector machines with few support vectors.
//
// A solver is a plain struct of parameters, in which a zero field means its documented default;
// Fit trains it on a [Dataset] and returns a [Result], which is a [Model] with the figures of the
// run. A [PathSolver] visits models of many support sizes in one run, and a [Protocol] judges
// them on held-out rows:
//
//	train, test, err := datasets.Load("ijcnn1")
//	…
//	dense, err := solvers.SMO{Kernel: solvers.RBF{Gamma: 1}, C: 10}.Fit(ctx, train)
//	…
//	path, err := solvers.Protocol{}.Run(ctx, solvers.ISSVM{Reference: dense.Model, Aggressive: true}, train, test)
//
// # Notation
//
// The comments write the papers' formulas in Unicode. What is what:
//
//	in comments   in Go                       meaning
//	xᵢ            Dataset.X[i]                training row i, a sparse Vector; i counts from 0
//	yᵢ            Dataset.Y[i]                its class, -1 or +1
//	K(x, z)       Kernel.Eval(x, z)           kernel
//	γ             Gamma                       its width: RBF is exp(-γ‖x-z‖²), without a factor ½
//	αᵢ            |Coefficients[k]|           weight of support vector i, ≥ 0
//	βᵢ = yᵢαᵢ     Coefficients[k]             signed coefficient; Indices[k] is i
//	w             SupportVectors, Coefficients   Σᵢ βᵢ Φ(xᵢ); ‖w‖² = βᵀKβ is Norm()²
//	g(x)                                      response, Σᵢ βᵢ K(xᵢ, x)
//	b             Bias                        f = g + b: added, never subtracted
//	f(x)          Decision(x)                 decision value; its sign is the class, 0 counts as +1
//	yᵢ f(xᵢ)      Margins                     margin
//	C             C                           price of slack in the C-SVC
//	ξᵢ                                        slack, max(0, 1 - yᵢ f(xᵢ)): the hinge loss
//	η             Eta                         step of ISSVM
//	ε             Epsilon                     stopping tolerance; each solver says of what
//	δ             Delta, Radius               radius of a ball that coefficients or w̃ stay in
//	R²                                        max over i of K(xᵢ, xᵢ)
//	w̃, g̃, f̃                                   of the sparse model, where w, g, f are the reference's
//
// # Errors
//
// What a user can cause is an error: a *ParamError for a parameter, a *DataError for data that
// cannot be trained on, a *ParseError for a file. A limit that ends a run is a Status. The
// package panics, with a text that begins "solvers: ", for its own bugs, and for a kernel evaluated
// before its default Gamma is known. A panic of a user's kernel passes through to the caller.
package solvers
