package simd

import "math"

// goForward is the twin of the assembly for tiles, and what runs in float64.
func goForward[T Float](kind Kind, t *Tile[T], x *Entries[T], rows []int32, values, sums []T) {
	lanes := t.Lanes
	for i, r := range rows {
		out := values[i*lanes : (i+1)*lanes]
		clear(out)
		for k := x.Start[r]; k < x.Start[r+1]; k++ {
			v, at := x.Value[k], int(x.Offset[k])/64*lanes
			addScaled(out, v, t.Value[at:at+lanes])
		}
		if kind == Exponential {
			exponentials(t, x.Half[r], out)
		}
		var sum T
		for v, k := range out {
			sum += t.Weight[v] * k
		}
		sums[i] += sum
	}
}

// addScaled adds v times z to out, eight numbers at a time.
func addScaled[T Float](out []T, v T, z []T) {
	for len(out) >= 8 && len(z) >= 8 {
		o, a := out[:8:8], z[:8:8]
		o[0] += v * a[0]
		o[1] += v * a[1]
		o[2] += v * a[2]
		o[3] += v * a[3]
		o[4] += v * a[4]
		o[5] += v * a[5]
		o[6] += v * a[6]
		o[7] += v * a[7]
		out, z = out[8:], z[8:]
	}
}

// exponentials replaces dots by 2^(scale·(‖x‖²/2 + ‖z‖²/2 - dot)).
func exponentials[T Float](t *Tile[T], half T, dots []T) {
	for v, d := range dots {
		distance := half + t.Half[v] - d
		if distance < 0 {
			distance = 0
		}
		dots[v] = exp2(t.Scale[v] * distance)
	}
}

func exp2[T Float](t T) T {
	if single, ok := any(t).(float32); ok {
		return T(exp2Single(single))
	}
	return T(exp2Double(float64(t)))
}

func goBackward[T Float](t *Tile[T], x *Entries[T], rows []int32, values, slope, gradient, total []T) {
	lanes := t.Lanes
	weight := make([]T, lanes)
	for i, r := range rows {
		s := slope[i]
		if s == 0 {
			continue
		}
		for v, k := range values[i*lanes : (i+1)*lanes] {
			weight[v] = s * k
			total[v] += weight[v]
		}
		for k := x.Start[r]; k < x.Start[r+1]; k++ {
			at := int(x.Offset[k]) / 64 * lanes
			addScaled(gradient[at:at+lanes], x.Value[k], weight)
		}
	}
}

func goDescend[T Float](m Moments, t *Tile[T], gradient, first, second, factor, pull []T) {
	lanes := t.Lanes
	rate, floor := T(m.Rate), T(m.Floor)
	keep1, keep2, rest1, rest2 := T(m.Keep1), T(m.Keep2), T(1-m.Keep1), T(1-m.Keep2)
	half := make([]T, lanes)
	for j := range t.Dim {
		for v := range lanes {
			at := j*lanes + v
			z := t.Value[at]
			g := factor[v] * (gradient[at] - pull[v]*z)
			first[at] = keep1*first[at] + rest1*g
			second[at] = keep2*second[at] + rest2*g*g
			z -= rate * first[at] / (T(math.Sqrt(float64(second[at]))) + floor)
			t.Value[at], gradient[at] = z, 0
			half[v] += z * z
		}
	}
	for v, h := range half {
		t.Half[v] = h / 2
	}
}
