package simd

import (
	"encoding/binary"
)

// goRows is the twin of the assembly: 64 products of one row and one panel at a time.
func goRows(f Function, z *Panels, first, count int, x *Rows, weight, out []float64, stride int) {
	var values [Lanes]float64
	for p := range count {
		panel := first + p
		for r := range x.Count() {
			switch z.Storage {
			case Float32:
				dotsSingle(z, panel, x, r, &values)
			case Float64:
				dotsDouble(z, panel, x, r, &values)
			default:
				dotsBytes(z, panel, x, r, &values)
			}
			finish(f, z, panel, x, r, &values)
			if weight == nil {
				copy(out[r*stride+p*Lanes:], values[:])
				continue
			}
			w, sums := weight[r], out[p*Lanes:(p+1)*Lanes]
			for t, v := range values {
				sums[t] += w * v
			}
		}
	}
}

// dotsSingle computes eight dots at a time, so that the sums stay in registers.
func dotsSingle(z *Panels, panel int, x *Rows, r int, out *[Lanes]float64) {
	values := z.F32[panel*z.Dim*Lanes : (panel+1)*z.Dim*Lanes]
	offset := x.Offset[x.Start[r]:x.Start[r+1]]
	value := x.F32[x.Start[r]:x.Start[r+1]]
	for t := 0; t < Lanes; t += 8 {
		var s0, s1, s2, s3, s4, s5, s6, s7 float32
		for k, o := range offset {
			at := int(o)/4 + t
			c, v := values[at:at+8:at+8], value[k]
			s0 += v * c[0]
			s1 += v * c[1]
			s2 += v * c[2]
			s3 += v * c[3]
			s4 += v * c[4]
			s5 += v * c[5]
			s6 += v * c[6]
			s7 += v * c[7]
		}
		o := out[t : t+8]
		o[0], o[1], o[2], o[3] = float64(s0), float64(s1), float64(s2), float64(s3)
		o[4], o[5], o[6], o[7] = float64(s4), float64(s5), float64(s6), float64(s7)
	}
}

func dotsDouble(z *Panels, panel int, x *Rows, r int, out *[Lanes]float64) {
	values := z.F64[panel*z.Dim*Lanes : (panel+1)*z.Dim*Lanes]
	offset := x.Offset[x.Start[r]:x.Start[r+1]]
	value := x.F64[x.Start[r]:x.Start[r+1]]
	for t := 0; t < Lanes; t += 8 {
		var s0, s1, s2, s3, s4, s5, s6, s7 float64
		for k, o := range offset {
			at := int(o)/8 + t
			c, v := values[at:at+8:at+8], value[k]
			s0 += v * c[0]
			s1 += v * c[1]
			s2 += v * c[2]
			s3 += v * c[3]
			s4 += v * c[4]
			s5 += v * c[5]
			s6 += v * c[6]
			s7 += v * c[7]
		}
		o := out[t : t+8]
		o[0], o[1], o[2], o[3], o[4], o[5], o[6], o[7] = s0, s1, s2, s3, s4, s5, s6, s7
	}
}

// dotsBytes adds eight counts in one word; no count exceeds 255, so that none carries.
func dotsBytes(z *Panels, panel int, x *Rows, r int, out *[Lanes]float64) {
	values := z.U8[panel*z.Dim*Lanes : (panel+1)*z.Dim*Lanes]
	var c0, c1, c2, c3, c4, c5, c6, c7 uint64
	for _, o := range x.Offset[x.Start[r]:x.Start[r+1]] {
		g := values[o : o+Lanes : o+Lanes]
		c0 += binary.LittleEndian.Uint64(g)
		c1 += binary.LittleEndian.Uint64(g[8:])
		c2 += binary.LittleEndian.Uint64(g[16:])
		c3 += binary.LittleEndian.Uint64(g[24:])
		c4 += binary.LittleEndian.Uint64(g[32:])
		c5 += binary.LittleEndian.Uint64(g[40:])
		c6 += binary.LittleEndian.Uint64(g[48:])
		c7 += binary.LittleEndian.Uint64(g[56:])
	}
	for i, c := range [8]uint64{c0, c1, c2, c3, c4, c5, c6, c7} {
		o := out[8*i : 8*i+8]
		for t := range o {
			o[t] = float64(uint8(c >> (8 * t)))
		}
	}
}

// finish applies the function to the dots of row r and a panel.
func finish(f Function, z *Panels, panel int, x *Rows, r int, v *[Lanes]float64) {
	switch f.Kind {
	case Exponential:
		if z.Storage == Bytes {
			ones, table := z.Ones[panel*Lanes:(panel+1)*Lanes], f.Table
			for t, o := range ones {
				distance := int(o) + int(x.Ones[r]) - 2*int(v[t])
				v[t] = float64(table.low[distance&31] * table.high[distance>>5&15])
			}
			return
		}
		if z.Storage == Float64 {
			half, scale := z.Half64[panel*Lanes:(panel+1)*Lanes], f.Scale
			for t, h := range half {
				d := h + x.Half64[r] - v[t]
				if d < 0 {
					d = 0
				}
				v[t] = exp2Double(scale * d)
			}
			return
		}
		half, scale := z.Half32[panel*Lanes:(panel+1)*Lanes], float32(f.Scale)
		for t, h := range half {
			d := h + x.Half32[r] - float32(v[t])
			if d < 0 {
				d = 0
			}
			v[t] = float64(exp2Single(scale * d))
		}
	case Power:
		if z.Storage == Float64 {
			for t, d := range v {
				v[t] = power(f.Scale*d+f.Shift, f.Degree)
			}
			return
		}
		scale, shift := float32(f.Scale), float32(f.Shift)
		for t, d := range v {
			v[t] = float64(power(scale*float32(d)+shift, f.Degree))
		}
	}
}

func power[T float32 | float64](base T, degree int) T {
	p := base
	for range degree - 1 {
		p *= base
	}
	return p
}
