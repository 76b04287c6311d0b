package lower

import "go/types"

// startGoroutine starts the function literal that text is.
func (x *body) startGoroutine(text string) {
	x.line("rt.Go(" + x.closureValue(x.made(text, types.NewSignatureType(nil, nil, nil, nil, nil, false))) + ")")
}

// made gives the value of a function literal. When a closure ends, yaegi puts the value that stood
// there before into the frame that made it, where another goroutine, or a loop that calls older
// closures, may just have put the next one. Made by a function of its own, it disturbs nothing.
func (g *Lowerer) made(literal string, sig *types.Signature) string {
	return "func() func" + g.signature(sig) + " { return " + literal + " }()"
}
