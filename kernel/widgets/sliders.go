package widgets

import (
	"encoding/json"
	"math"
)

// IntSlider chooses a whole number.
type IntSlider struct {
	Value       int             // as the slider stands; kept from Min to Max
	Min         int             // default 0
	Max         int             // default 0: Min + 100, if Min ≥ 0
	Step        int             // default 0: 1
	Description string          // at its left
	Disabled    bool            // cannot be moved
	Settled     bool            // tells only where the slider is let go, not where it passes
	Layout      Layout          // size
	OnChange    func(value int) // called when the user has moved it

	model
}

func (w *IntSlider) class() class { return class{model: "IntSlider", style: "SliderStyle"} }

func (w *IntSlider) limits() (low, high int) {
	low, high = ends(w.Min, w.Max)
	if high < low {
		panic(fault("IntSlider", "Max", w.Max, "≥ Min"))
	}
	return low, high
}

func (w *IntSlider) state(*Notebook) map[string]any {
	low, high := w.limits()
	w.Value = min(max(w.Value, low), high)
	s := sliderState(w.Description, w.Disabled, w.Settled, "d")
	s["value"], s["min"], s["max"], s["step"] = w.Value, low, high, max(w.Step, 1)
	return s
}

func (w *IntSlider) take(name string, value json.RawMessage) bool {
	low, high := w.limits()
	return name == "value" && readWithin(&w.Value, value, low, high)
}

func (w *IntSlider) changed() { call(w.OnChange, w.Value) }

// FloatSlider chooses a number on a linear scale.
type FloatSlider struct {
	Value       float64             // as the slider stands; kept from Min to Max
	Min         float64             // default 0
	Max         float64             // default 0: Min + 100, if Min ≥ 0
	Step        float64             // default 0: a 200th of the range, rounded to 1, 2 or 5 times a power of ten
	Description string              // at its left
	Disabled    bool                // cannot be moved
	Settled     bool                // tells only where the slider is let go, not where it passes
	Layout      Layout              // size
	OnChange    func(value float64) // called when the user has moved it

	model
}

func (w *FloatSlider) class() class { return class{model: "FloatSlider", style: "SliderStyle"} }

func (w *FloatSlider) limits() (low, high float64) {
	low, high = ends(w.Min, w.Max)
	if !(low <= high) || math.IsInf(high-low, 0) {
		panic(fault("FloatSlider", "Max", w.Max, "a number ≥ Min"))
	}
	return low, high
}

func (w *FloatSlider) state(*Notebook) map[string]any {
	low, high := w.limits()
	w.Value = inside(w.Value, low, high)
	step := w.Step
	if !(step > 0) || math.IsInf(step, 0) {
		step = round((high - low) / 200)
	}
	s := sliderState(w.Description, w.Disabled, w.Settled, ".4~g")
	s["value"], s["min"], s["max"], s["step"] = w.Value, low, high, step
	return s
}

func (w *FloatSlider) take(name string, value json.RawMessage) bool {
	low, high := w.limits()
	return name == "value" && readWithin(&w.Value, value, low, high)
}

func (w *FloatSlider) changed() { call(w.OnChange, w.Value) }

// FloatLogSlider chooses a positive number on a logarithmic scale, as for C and γ.
type FloatLogSlider struct {
	Value       float64             // as the slider stands; default 0: 1; kept from Min to Max
	Min         float64             // a value, not an exponent; default 0: 0.001
	Max         float64             // a value, not an exponent; default 0: 1000
	Base        float64             // of the steps; default 0: 10
	Step        float64             // of the exponent; default 0: 0.05
	Description string              // at its left
	Disabled    bool                // cannot be moved
	Settled     bool                // tells only where the slider is let go, not where it passes
	Layout      Layout              // size
	OnChange    func(value float64) // called when the user has moved it

	model
}

func (w *FloatLogSlider) class() class { return class{model: "FloatLogSlider", style: "SliderStyle"} }

func (w *FloatLogSlider) limits() (low, high, base float64) {
	low, high, base = or(w.Min, 1e-3), or(w.Max, 1e3), or(w.Base, 10)
	switch {
	case !(low > 0):
		panic(fault("FloatLogSlider", "Min", w.Min, "> 0 (0: default 0.001)"))
	case !(high >= low) || math.IsInf(high, 0):
		panic(fault("FloatLogSlider", "Max", w.Max, "a number ≥ Min (0: default 1000)"))
	case !(base > 1) || math.IsInf(base, 0):
		panic(fault("FloatLogSlider", "Base", w.Base, "> 1 (0: default 10)"))
	}
	return low, high, base
}

func (w *FloatLogSlider) state(*Notebook) map[string]any {
	low, high, base := w.limits()
	w.Value = inside(or(w.Value, 1), low, high)
	s := sliderState(w.Description, w.Disabled, w.Settled, ".3~g")
	exponent := func(x float64) float64 { return math.Round(math.Log(x)/math.Log(base)*1e12) / 1e12 }
	s["value"], s["min"], s["max"], s["base"], s["step"] = w.Value, exponent(low), exponent(high), base, or(w.Step, 0.05)
	return s
}

func (w *FloatLogSlider) take(name string, value json.RawMessage) bool {
	low, high, _ := w.limits()
	const slack = 1e-9 // what powers of the base differ by
	if name != "value" || !readWithin(&w.Value, value, low*(1-slack), high*(1+slack)) {
		return false
	}
	w.Value = inside(w.Value, low, high)
	return true
}

func (w *FloatLogSlider) changed() { call(w.OnChange, w.Value) }

// FloatProgress is a bar that shows how far something has come. In a loop, call Update after
// changing Value.
type FloatProgress struct {
	Value       float64 // from Min to Max
	Min         float64 // default 0
	Max         float64 // default 0: 100
	Description string  // at its left
	Style       string  // "", "success", "info", "warning" or "danger"
	Layout      Layout  // size

	model
}

func (w *FloatProgress) class() class {
	return class{model: "FloatProgress", view: "Progress", style: "ProgressStyle"}
}

func (w *FloatProgress) state(*Notebook) map[string]any {
	high := or(w.Max, 100)
	return map[string]any{"value": inside(w.Value, w.Min, high), "min": w.Min, "max": high, "bar_style": w.Style,
		"orientation": "horizontal", "description": w.Description, "description_allow_html": false}
}

func (w *FloatProgress) take(string, json.RawMessage) bool { return false }
func (w *FloatProgress) changed()                          {}

// sliderState is what the sliders have in common.
func sliderState(description string, disabled, settled bool, format string) map[string]any {
	return map[string]any{"behavior": "drag-tap", "continuous_update": !settled, "description": description,
		"description_allow_html": false, "disabled": disabled, "orientation": "horizontal", "readout": true, "readout_format": format}
}

// ends are those of a linear slider, with their defaults.
func ends[T int | float64](low, high T) (T, T) {
	if high == 0 && low >= 0 {
		high = low + 100
	}
	return low, high
}

// readWithin is the value of JSON, if it is a number in a range.
func readWithin[T int | float64](to *T, value json.RawMessage, low, high T) bool {
	var v T
	if !read(&v, value) || v < low || v > high {
		return false
	}
	*to = v
	return true
}

// call calls f unless it is nil.
func call[T any](f func(T), value T) {
	if f != nil {
		f(value)
	}
}

// or is x, or the default where x is 0.
func or(x, otherwise float64) float64 {
	if x == 0 {
		return otherwise
	}
	return x
}

// inside is x moved into a range; what is no number becomes its beginning.
func inside(x, low, high float64) float64 {
	if math.IsNaN(x) {
		return low
	}
	return min(max(x, low), high)
}

// round is x rounded to 1, 2 or 5 times a power of ten.
func round(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 0) {
		return 0.1
	}
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, digit := range []float64{1, 2, 5} {
		if x <= digit*power {
			return digit * power
		}
	}
	return 10 * power
}
