package gram

import "math"

// Logistic is log(1 + e^(-yf)).
func Logistic(f, y float64) (value, slope float64) {
	e := math.Exp(-math.Abs(f)) // y is -1 or +1
	if y*f > 0 {
		return math.Log1p(e), -y * e / (1 + e)
	}
	return math.Log1p(e) - y*f, -y / (1 + e)
}

// SquaredHinge is max(0, 1 - yf)².
func SquaredHinge(f, y float64) (value, slope float64) {
	slack := 1 - y*f
	if slack <= 0 {
		return 0, 0
	}
	return slack * slack, -2 * y * slack
}

// SigmoidLoss is 1/(1 + e^(2yf)), a smooth count of the errors. It is not convex in f.
func SigmoidLoss(f, y float64) (value, slope float64) {
	e := math.Exp(-2 * math.Abs(f))
	small, large := e/(1+e), 1/(1+e)
	if y*f > 0 {
		return small, -2 * y * small * large
	}
	return large, -2 * y * small * large
}

// Response is (f - t)² to a response t clipped to [-1, 1]; beyond a clipped one nothing is lost.
func Response(f, t float64) (value, slope float64) {
	if t >= 1 && f >= 1 || t <= -1 && f <= -1 {
		return 0, 0
	}
	d := f - max(-1, min(1, t))
	return d * d, 2 * d
}
