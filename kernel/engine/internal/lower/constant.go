package lower

import (
	"fmt"
	"go/constant"
	"go/types"
	"math"
	"strconv"
	"strings"
)

// constant gives a literal of type t.
func (g *Lowerer) constant(v constant.Value, t types.Type) string {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		panic("lower: constant of type " + t.String())
	}
	low := g.low(t)
	switch k := b.Info(); {
	case k&types.IsBoolean != 0:
		return g.typed(strconv.FormatBool(constant.BoolVal(v)), low, "bool")
	case k&types.IsString != 0:
		s := constant.StringVal(v)
		return g.typed(strconv.QuoteToASCII(s), low, "string")
	case k&types.IsInteger != 0:
		return g.integer(constant.ToInt(v), b, low)
	case k&types.IsFloat != 0:
		return g.float(v, b, low)
	}
	re, _ := constant.Float64Val(constant.Real(v))
	im, _ := constant.Float64Val(constant.Imag(v))
	f, plain := "rt.C128", "complex128"
	if b.Kind() == types.Complex64 {
		f, plain = "rt.C64", "complex64"
	}
	s := fmt.Sprintf("%s(%s, %s)", f, halves(math.Float64bits(re)), halves(math.Float64bits(im)))
	return g.typed(s, low, plain)
}

func halves(u uint64) string { return fmt.Sprintf("%d, %d", u>>32, u&0xffffffff) }

// typed converts a literal whose own type is plain.
func (g *Lowerer) typed(s, low, plain string) string {
	if low == plain {
		return s
	}
	return low + "(" + s + ")"
}

func (g *Lowerer) integer(v constant.Value, b *types.Basic, low string) string {
	if b.Kind() == types.UntypedRune {
		low = "int32"
	}
	s := v.ExactString()
	if u, ok := constant.Uint64Val(v); ok && u > math.MaxInt64 {
		return g.typed("rt.U64("+halves(u)+")", low, "uint64")
	}
	if s == "-9223372036854775808" {
		return g.typed("(-9223372036854775807 - 1)", low, "int")
	}
	if strings.HasPrefix(s, "-") {
		s = "(" + s + ")"
	}
	return g.typed(s, low, "int")
}

func (g *Lowerer) float(v constant.Value, b *types.Basic, low string) string {
	if b.Kind() == types.Float32 {
		f, _ := constant.Float32Val(v)
		if f == 0 {
			return low + "(0)"
		}
		if math.Abs(float64(f)) < 1e-37 {
			return g.typed(fmt.Sprintf("rt.F32(%d)", math.Float32bits(f)), low, "float32")
		}
		return low + "(" + strconv.FormatFloat(float64(f), 'g', -1, 64) + ")"
	}
	f, _ := constant.Float64Val(v)
	if f != 0 && (math.Abs(f) < 1e-300 || math.Abs(f) > 1e300) {
		return g.typed("rt.F64("+halves(math.Float64bits(f))+")", low, "float64")
	}
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if f == 0 {
		return low + "(0)"
	}
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	if f < 0 {
		s = "(" + s + ")"
	}
	return g.typed(s, low, "float64")
}

// zero gives the zero value of t.
func (g *Lowerer) zero(t types.Type) string {
	t = types.Unalias(t)
	low := g.low(t)
	if low == anyText {
		if !isInterface(t) && !isNil(t) {
			return "rt.Any(" + g.zero(t.Underlying()) + ")"
		}
		return "rt.Nil()"
	}
	if b, ok := t.Underlying().(*types.Basic); ok {
		switch {
		case b.Info()&types.IsBoolean != 0:
			return g.typed("false", low, "bool")
		case b.Info()&types.IsString != 0:
			return g.typed(`""`, low, "string")
		case b.Info()&types.IsNumeric != 0 || b.Kind() == types.UnsafePointer:
			return g.typed("0", low, "int")
		}
	}
	if z, ok := g.zeros[low]; ok {
		return z + "()"
	}
	name := g.name("z")
	keep(g, g.zeros, low, name)
	g.out.funcs = append(g.out.funcs, fmt.Sprintf("func %s() %s { var z %s; return z }", name, low, low))
	return name + "()"
}
