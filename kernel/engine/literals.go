package engine

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"strconv"
	"strings"
)

func (l *lowerer) constant(e ast.Expr, tv types.TypeAndValue) ast.Expr {
	pos := e.Pos()
	basic, ok := tv.Type.Underlying().(*types.Basic)
	if !ok {
		basic = types.Typ[types.UntypedInt]
	}
	lit := literal(tv.Value, basic, pos)
	if lit == nil {
		l.limit(e, "the constant "+tv.Value.String()+" is too large", "use math/big")
		return e
	}
	if plain, ok := types.Unalias(tv.Type).(*types.Basic); ok {
		switch plain.Kind() {
		case types.Bool, types.String, types.Int, types.UntypedBool, types.UntypedString, types.UntypedInt,
			types.UntypedFloat, types.Float64, types.UntypedNil:
			return lit
		case types.UntypedRune:
			return call(ident("rune", pos), lit)
		}
	}
	return call(&ast.ParenExpr{Lparen: pos, X: l.typeExpr(tv.Type, e), Rparen: pos}, lit)
}

func literal(v constant.Value, t *types.Basic, pos token.Pos) ast.Expr {
	number := func(kind token.Token, s string) ast.Expr {
		if rest, ok := strings.CutPrefix(s, "-"); ok {
			return &ast.UnaryExpr{OpPos: pos, Op: token.SUB, X: &ast.BasicLit{ValuePos: pos, Kind: kind, Value: rest}}
		}
		return &ast.BasicLit{ValuePos: pos, Kind: kind, Value: s}
	}
	switch info := t.Info(); {
	case info&types.IsBoolean != 0:
		return ident(strconv.FormatBool(constant.BoolVal(v)), pos)
	case info&types.IsString != 0:
		return &ast.BasicLit{ValuePos: pos, Kind: token.STRING, Value: strconv.Quote(constant.StringVal(v))}
	case info&types.IsInteger != 0:
		return number(token.INT, constant.ToInt(v).ExactString())
	case info&types.IsFloat != 0:
		f, _ := constant.Float64Val(constant.ToFloat(v))
		if t.Kind() == types.Float32 {
			f32, _ := constant.Float32Val(constant.ToFloat(v))
			f = float64(f32)
		}
		if math.IsInf(f, 0) {
			return nil
		}
		s := strconv.FormatFloat(f, 'g', -1, 64)
		if !strings.ContainsAny(s, ".e") {
			s += ".0"
		}
		return number(token.FLOAT, s)
	case info&types.IsComplex != 0:
		v = constant.ToComplex(v)
		re := literal(constant.Real(v), types.Typ[types.Float64], pos)
		im := literal(constant.Imag(v), types.Typ[types.Float64], pos)
		return call(ident("complex", pos), re, im)
	}
	return nil
}
