package plotting

import (
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot"

	"github.com/gonb-svm/gonb-svm/solvers"
)

// TradeoffVegaLite is the plot of Tradeoff as a specification of Vega-Lite 5, for front ends that
// draw it themselves: with a text beside the pointer that names method, size and errors. It has no
// size. Points that Tradeoff leaves out are left out.
func TradeoffVegaLite(paths ...*solvers.Path) map[string]any {
	paths = slices.DeleteFunc(slices.Clone(paths), func(p *solvers.Path) bool { return p == nil || len(p.Points) == 0 })
	points, references, domain, colors := []any{}, []any{}, []string{}, []string{}
	for i, name := range names(paths) {
		path := paths[i]
		domain, colors = append(domain, name), append(colors, hex(Color(i)))
		best := path.Best()
		for _, q := range path.Points {
			if q.SupportSize < 1 || !finite(q.TestError) {
				continue
			}
			row := map[string]any{"method": name, "size": q.SupportSize, "error": five(100 * q.TestError), "best": q.SupportSize == best.SupportSize && q.Parameter == best.Parameter}
			row["low"], row["high"] = row["error"], row["error"]
			if finite(q.TestStd) && q.TestStd > 0 {
				row["std"], row["low"], row["high"] = five(100*q.TestStd), five(100*(q.TestError-q.TestStd)), five(100*(q.TestError+q.TestStd))
			}
			if finite(q.ValidationError) {
				row["validation"] = five(100 * q.ValidationError)
			}
			if finite(q.Parameter) && path.ParameterName != "" {
				row["parameter"] = fmt.Sprintf("%s %.4g", path.ParameterName, q.Parameter)
			}
			points = append(points, row)
		}
	}
	t := tradeoff{names: names(paths)}
	t.addReferences(paths)
	for i, l := range t.levels {
		hue := "#888888" // can be seen on a dark page, too
		if len(t.levels) > 1 {
			hue = hex(l.color)
		}
		domain, colors = append(domain, t.labels[i]), append(colors, hue)
		references = append(references, map[string]any{"method": t.labels[i], "size": int(l.dot), "error": five(l.at)})
	}
	x := map[string]any{"field": "size", "type": "quantitative", "title": t.xLabel(paths), "scale": map[string]any{"type": "log", "nice": false}}
	if low, high := sizes(slices.Concat(points, references)); low > 0 {
		from, to := logRange(low, high)
		x["scale"] = map[string]any{"type": "log", "nice": false, "domain": []float64{five(from), five(to)}}
		x["axis"] = map[string]any{"values": labelled(LogTicks{}.Ticks(from, to))}
	}
	return map[string]any{
		"$schema": "https://vega.github.io/schema/vega-lite/v5.json", "autosize": map[string]any{"type": "fit", "contains": "padding"},
		"description": "Test error by number of support vectors", "config": map[string]any{"view": map[string]any{"stroke": nil}, "axis": map[string]any{"gridOpacity": 0.4}},
		"data":     map[string]any{"values": points},
		"encoding": map[string]any{"x": x},
		"layer":    layers(points, domain, colors, references),
	}
}

// labelled are the values of the ticks that have labels.
func labelled(ticks []plot.Tick) (values []float64) {
	for _, t := range ticks {
		if !t.IsMinor() {
			values = append(values, t.Value)
		}
	}
	return values
}

// sizes are the least and the greatest support size, 0 if there is none.
func sizes(rows []any) (low, high float64) {
	for _, row := range rows {
		n, _ := row.(map[string]any)["size"].(int)
		if low == 0 || float64(n) < low {
			low = float64(n)
		}
		high = max(high, float64(n))
	}
	return low, high
}

func anyHas(rows []any, field string) bool {
	for _, row := range rows {
		if _, ok := row.(map[string]any)[field]; ok {
			return true
		}
	}
	return false
}

// markNames are the shapes of points, by path.
var markNames = []string{"circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left"}

// layers are the parts of a tradeoff plot, the lowest first.
func layers(points []any, domain, colors []string, references []any) []any {
	y := map[string]any{"field": "error", "type": "quantitative", "title": "Test error (%)"}
	hue := map[string]any{"field": "method", "type": "nominal", "title": nil, "legend": map[string]any{"orient": "top", "columns": 3, "symbolOpacity": 1, "labelLimit": 260},
		"scale": map[string]any{"domain": domain, "range": colors}}
	shapes := make([]string, len(domain))
	for i := range shapes {
		if shapes[i] = "circle"; i < len(domain)-len(references) {
			shapes[i] = markNames[i%len(markNames)]
		}
	}
	shape := map[string]any{"field": "method", "type": "nominal", "title": nil, "scale": map[string]any{"domain": domain, "range": shapes}}
	text := func(field, title string) map[string]any { return map[string]any{"field": field, "title": title} }
	percent := func(field, title string) map[string]any {
		return map[string]any{"field": field, "title": title, "type": "quantitative", "format": ".2f"}
	}
	tips := []any{text("method", "method"), text("size", "support vectors"), percent("error", "test error (%)")}
	for _, more := range []any{percent("std", "± (%)"), percent("validation", "validation error (%)"), text("parameter", "parameter")} {
		if field := more.(map[string]any)["field"].(string); anyHas(points, field) {
			tips = append(tips, more)
		}
	}
	return []any{
		map[string]any{"mark": map[string]any{"type": "area", "opacity": 0.16, "clip": true},
			"encoding": map[string]any{"y": map[string]any{"field": "low", "type": "quantitative", "title": "Test error (%)"}, "y2": map[string]any{"field": "high"}, "color": hue}},
		map[string]any{"mark": map[string]any{"type": "line", "clip": true}, "encoding": map[string]any{"y": y, "color": hue}},
		map[string]any{"mark": map[string]any{"type": "point", "filled": true, "size": 45, "opacity": 1, "clip": true},
			"params":   []any{map[string]any{"name": "zoom", "select": "interval", "bind": "scales"}},
			"encoding": map[string]any{"y": y, "color": hue, "shape": shape, "tooltip": tips}},
		map[string]any{"transform": []any{map[string]any{"filter": "datum.best"}, map[string]any{"calculate": "'best by validation error'", "as": "ring"}}, "mark": map[string]any{"type": "point", "size": 190, "strokeWidth": 2, "filled": false},
			"encoding": map[string]any{"y": y, "color": hue, "tooltip": append(slices.Clone(tips), text("ring", "ringed"))}},
		map[string]any{"data": map[string]any{"values": references}, "mark": map[string]any{"type": "rule", "strokeDash": []int{4, 3}},
			"encoding": map[string]any{"x": nil, "y": y, "color": hue}},
		map[string]any{"data": map[string]any{"values": references}, "mark": map[string]any{"type": "point", "filled": true, "size": 60, "opacity": 1},
			"encoding": map[string]any{"y": y, "color": hue, "tooltip": tips[:3]}},
	}
}

// HeatmapVegaLite is the plot of Heatmap as a specification of Vega-Lite 5, with a text beside the
// pointer.
func HeatmapVegaLite(x, y []float64, z [][]float64) map[string]any {
	values := []any{}
	for i := range z {
		for j := range z[i] {
			if i < len(y) && j < len(x) && finite(z[i][j]) {
				values = append(values, map[string]any{"x": x[j], "y": y[i], "z": z[i][j]})
			}
		}
	}
	axis := func(field, sort string) map[string]any {
		return map[string]any{"field": field, "type": "ordinal", "sort": sort, "title": nil}
	}
	return map[string]any{
		"$schema": "https://vega.github.io/schema/vega-lite/v5.json", "autosize": map[string]any{"type": "fit", "contains": "padding"},
		"data": map[string]any{"values": values}, "mark": map[string]any{"type": "rect", "tooltip": true},
		"encoding": map[string]any{"x": axis("x", "ascending"), "y": axis("y", "descending"),
			"color": map[string]any{"field": "z", "type": "quantitative", "title": nil, "scale": map[string]any{"range": []string{"#ffffff", hex(Color(0))}}}},
	}
}

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// five is x to five decimals, which is more than can be seen.
func five(x float64) float64 {
	var r float64
	if _, err := fmt.Sscan(fmt.Sprintf("%.5f", x), &r); err != nil {
		return x
	}
	return r
}
