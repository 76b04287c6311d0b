package bindings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gonb-svm/gonb-svm/kernel/magic"
	"github.com/gonb-svm/gonb-svm/plotting"
)

// plotSettings say how plots are shown. The fields belong to the session's lock.
type plotSettings struct {
	width, height int      // CSS pixels
	formats       []string // of plotFormats
}

// plotFormats are the names of the formats in which plots are shown.
var plotFormats = []string{"svg", "png", "vega"}

func defaultPlots() plotSettings {
	return plotSettings{int(plotting.Width / plotting.Pixel), int(plotting.Height / plotting.Pixel), plotFormats}
}

// Settings are what %config shows and changes.
func (c commands) Settings() []magic.Setting {
	c.mu.Lock()
	defer c.mu.Unlock()
	side := func(field func(*plotSettings) *int) func(string) error {
		return func(value string) error {
			n, err := strconv.Atoi(value)
			if err != nil || n < 100 || n > 4000 {
				return fmt.Errorf("want a whole number of pixels from 100 to 4000")
			}
			c.mu.Lock()
			defer c.mu.Unlock()
			*field(&c.plots) = n
			return nil
		}
	}
	return []magic.Setting{
		{Name: "plot.width", Value: strconv.Itoa(c.plots.width), Text: "of plots, in pixels: 100 to 4000", Set: side(func(p *plotSettings) *int { return &p.width })},
		{Name: "plot.height", Value: strconv.Itoa(c.plots.height), Text: "of plots, in pixels: 100 to 4000", Set: side(func(p *plotSettings) *int { return &p.height })},
		{Name: "plot.formats", Value: strings.Join(c.plots.formats, ","), Text: "in which plots are shown: some of svg,png,vega", Set: func(value string) error {
			var chosen []string
			for _, f := range strings.Split(value, ",") {
				if f = strings.TrimSpace(f); !slices.Contains(plotFormats, f) {
					return fmt.Errorf("want some of %s, with commas between", strings.Join(plotFormats, ", "))
				}
				chosen = append(chosen, f)
			}
			c.mu.Lock()
			defer c.mu.Unlock()
			c.plots.formats = chosen
			return nil
		}},
	}
}
