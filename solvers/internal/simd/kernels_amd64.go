package simd

//go:noescape
func rowsBytesDotAdd256(c *rowsCall)

//go:noescape
func rowsBytesDotAdd512(c *rowsCall)

//go:noescape
func rowsBytesDotStore256(c *rowsCall)

//go:noescape
func rowsBytesDotStore512(c *rowsCall)

//go:noescape
func rowsBytesFarAdd256(c *rowsCall)

//go:noescape
func rowsBytesFarAdd512(c *rowsCall)

//go:noescape
func rowsBytesFarStore256(c *rowsCall)

//go:noescape
func rowsBytesFarStore512(c *rowsCall)

//go:noescape
func rowsBytesNearAdd512(c *rowsCall)

//go:noescape
func rowsBytesNearStore512(c *rowsCall)

//go:noescape
func rowsBytesPowerAdd256(c *rowsCall)

//go:noescape
func rowsBytesPowerAdd512(c *rowsCall)

//go:noescape
func rowsBytesPowerStore256(c *rowsCall)

//go:noescape
func rowsBytesPowerStore512(c *rowsCall)

//go:noescape
func rowsFloat32DotAdd256(c *rowsCall)

//go:noescape
func rowsFloat32DotAdd512(c *rowsCall)

//go:noescape
func rowsFloat32DotStore256(c *rowsCall)

//go:noescape
func rowsFloat32DotStore512(c *rowsCall)

//go:noescape
func rowsFloat32PowerAdd256(c *rowsCall)

//go:noescape
func rowsFloat32PowerAdd512(c *rowsCall)

//go:noescape
func rowsFloat32PowerStore256(c *rowsCall)

//go:noescape
func rowsFloat32PowerStore512(c *rowsCall)

//go:noescape
func rowsFloat32RBFAdd256(c *rowsCall)

//go:noescape
func rowsFloat32RBFAdd512(c *rowsCall)

//go:noescape
func rowsFloat32RBFStore256(c *rowsCall)

//go:noescape
func rowsFloat32RBFStore512(c *rowsCall)

//go:noescape
func rowsFloat64DotAdd256(c *rowsCall)

//go:noescape
func rowsFloat64DotAdd512(c *rowsCall)

//go:noescape
func rowsFloat64DotStore256(c *rowsCall)

//go:noescape
func rowsFloat64DotStore512(c *rowsCall)

//go:noescape
func rowsFloat64PowerAdd256(c *rowsCall)

//go:noescape
func rowsFloat64PowerAdd512(c *rowsCall)

//go:noescape
func rowsFloat64PowerStore256(c *rowsCall)

//go:noescape
func rowsFloat64PowerStore512(c *rowsCall)

//go:noescape
func rowsFloat64RBFAdd256(c *rowsCall)

//go:noescape
func rowsFloat64RBFAdd512(c *rowsCall)

//go:noescape
func rowsFloat64RBFStore256(c *rowsCall)

//go:noescape
func rowsFloat64RBFStore512(c *rowsCall)

//go:noescape
func scanUpdate256(c *scanCall)

//go:noescape
func scanUpdate512(c *scanCall)

//go:noescape
func scanFind256(c *scanCall)

//go:noescape
func scanFind512(c *scanCall)

//go:noescape
func scanPair256(c *scanCall)

//go:noescape
func scanPair512(c *scanCall)

//go:noescape
func tileDot16x256(c *tileCall)

//go:noescape
func tileDot32x256(c *tileCall)

//go:noescape
func tileDot64x256(c *tileCall)

//go:noescape
func tileRBF16x256(c *tileCall)

//go:noescape
func tileRBF32x256(c *tileCall)

//go:noescape
func tileRBF64x256(c *tileCall)

//go:noescape
func tileBack16x256(c *tileCall)

//go:noescape
func tileBack32x256(c *tileCall)

//go:noescape
func tileBack64x256(c *tileCall)

//go:noescape
func tileDescend256(c *descendCall)

//go:noescape
func tileDot16x512(c *tileCall)

//go:noescape
func tileDot32x512(c *tileCall)

//go:noescape
func tileDot64x512(c *tileCall)

//go:noescape
func tileRBF16x512(c *tileCall)

//go:noescape
func tileRBF32x512(c *tileCall)

//go:noescape
func tileRBF64x512(c *tileCall)

//go:noescape
func tileBack16x512(c *tileCall)

//go:noescape
func tileBack32x512(c *tileCall)

//go:noescape
func tileBack64x512(c *tileCall)

//go:noescape
func tileDescend512(c *descendCall)
