package plotting

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/plot"
)

// RoundTicks are ticks of a linear axis at multiples of 1, 2 or 5 times a power of ten,
// labelled with the digits that tell them apart; between them are smaller ones.
type RoundTicks struct {
	Count int // about how many are labelled; 0: 6
}

var _ plot.Ticker = RoundTicks{}

// Ticks is plot.Ticker. A range that is empty or not finite has no ticks.
func (t RoundTicks) Ticks(low, high float64) []plot.Tick {
	span := high - low
	if !(span > 0) || math.IsInf(span, 0) {
		return nil
	}
	count := float64(t.Count)
	if t.Count <= 0 {
		count = 6
	}
	power := math.Pow(10, math.Floor(math.Log10(span/count)))
	step, parts := 10*power, 5
	for _, s := range []struct {
		factor float64
		parts  int
	}{{5, 5}, {2, 4}, {1, 5}} {
		if span/(s.factor*power) <= count {
			step, parts = s.factor*power, s.parts
		}
	}
	small := step / float64(parts)
	first, last := math.Ceil(low/small-1e-9), math.Floor(high/small+1e-9)
	if small == 0 || math.IsInf(first, 0) || math.IsInf(last, 0) || last-first > 1000 ||
		first+1 == first || last+1 == last { // the range is too narrow for its magnitude
		return nil
	}
	digits := min(max(0, int(-math.Floor(math.Log10(step)+1e-9))), 17)
	var ticks []plot.Tick
	for i := first; i <= last; i++ {
		tick := plot.Tick{Value: i * small}
		if math.Mod(i, float64(parts)) == 0 {
			tick.Label = number(tick.Value, digits)
		}
		ticks = append(ticks, tick)
	}
	return ticks
}

// number prints a tick's value with a true minus sign; numbers too long for an axis are
// given as powers of ten.
func number(v float64, digits int) string {
	if v != 0 && (math.Abs(v) >= 1e6 || math.Abs(v) < 1e-4) {
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
		if len(mantissa) > 5 {
			mantissa, exponent, _ = strings.Cut(strconv.FormatFloat(v, 'e', 3, 64), "e")
		}
		n, _ := strconv.Atoi(exponent)
		return strings.Replace(mantissa, "-", "−", 1) + "×" + powerOfTen(n)
	}
	s := strconv.FormatFloat(v, 'f', digits, 64)
	if strings.Trim(s, "-0.") == "" {
		return strings.TrimPrefix(s, "-")
	}
	return strings.Replace(s, "-", "−", 1)
}

// powerOfTen is 10ⁿ in superscript digits.
func powerOfTen(n int) string {
	superscript := strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴",
		"5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")
	return "10" + superscript.Replace(strconv.Itoa(n))
}

// LogTicks are ticks of a logarithmic axis: labelled at 1, 2 and 5 times the powers of ten
// where there is room, else at powers of ten; the other multiples are smaller ticks.
type LogTicks struct {
	Length   float64 // of the axis, in pixels; 0: 400
	Vertical bool    // labels need their height rather than their width
}

var _ plot.Ticker = LogTicks{}

// Ticks is plot.Ticker. What is not above zero has no ticks.
func (t LogTicks) Ticks(low, high float64) []plot.Tick {
	if !(low > 0) || !(high > low) || math.IsInf(high, 0) {
		return nil
	}
	pixels := t.Length
	if pixels <= 0 {
		pixels = 400
	}
	decade := pixels / (math.Log10(high) - math.Log10(low))
	room := func(factor float64) float64 { return math.Log10(factor) * decade }
	widest := 14.0 // a line of text with some air
	if !t.Vertical {
		for _, end := range []float64{low, high} { // the longest labels are at the ends
			tens := math.Pow(10, math.Floor(math.Log10(end)))
			widest = max(widest, 6.2*float64(utf8.RuneCountInString(logLabel(2*tens)))+8)
		}
	}
	labelled, every := "125", 1
	if room(2) < widest {
		labelled = "1"
		for room(10)*float64(every) < widest {
			every++
		}
	}
	ticks, labels := decades(low, high, labelled, every, room(10) > 25)
	if labels < 2 {
		return RoundTicks{Count: 5}.Ticks(low, high)
	}
	return ticks
}

// decades are the ticks at d·10ⁿ for the digits d, and how many of them have labels: those
// whose digit is among labelled, in every so many-th decade.
func decades(low, high float64, labelled string, every int, minor bool) (ticks []plot.Tick, labels int) {
	const slack = 1e-9
	for n := int(math.Floor(math.Log10(low))); n <= int(math.Ceil(math.Log10(high))); n++ {
		for d := 1; d <= 9; d++ {
			v := float64(d) * math.Pow(10, float64(n))
			if v < low*(1-slack) || v > high*(1+slack) || d > 1 && !minor {
				continue
			}
			tick := plot.Tick{Value: v}
			if strings.Contains(labelled, strconv.Itoa(d)) && wrap(n, every) == 0 {
				tick.Label = logLabel(v)
				labels++
			}
			ticks = append(ticks, tick)
		}
	}
	return ticks, labels
}

// logLabel is a number at a tick of a logarithmic axis.
func logLabel(v float64) string {
	if v < 0.99e-3 || v > 1.01e5 {
		n := math.Floor(math.Log10(v) + 1e-9)
		power := powerOfTen(int(n))
		if d := math.Round(v / math.Pow(10, n)); d > 1 {
			return strconv.FormatFloat(d, 'f', 0, 64) + "×" + power
		}
		return power
	}
	if v > 0.99 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 1, 64)
}

// LogScale is a logarithmic axis that never panics: what is not above zero lies on its left
// edge, and a range that a logarithm cannot show is shown linearly.
type LogScale struct{}

var _ plot.Normalizer = LogScale{}

// Normalize is plot.Normalizer.
func (LogScale) Normalize(low, high, x float64) float64 {
	switch {
	case !(low > 0) || !(high > low):
		return plot.LinearScale{}.Normalize(low, high, x)
	case x <= 0:
		return 0
	}
	return (math.Log(x) - math.Log(low)) / (math.Log(high) - math.Log(low))
}

// logRange is a range about the positive values from low to high with some air at both
// ends; one value v alone gives [v/2, 2v].
func logRange(low, high float64) (float64, float64) {
	const least, most = 1e-280, 1e280 // so that the air neither underflows nor overflows
	low, high = min(max(low, least), most), min(max(high, least), most)
	if low == high {
		return low / 2, high * 2
	}
	air := math.Exp(0.04 * (math.Log(high) - math.Log(low)))
	return low / air, high * air
}
