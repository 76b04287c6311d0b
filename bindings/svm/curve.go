package svm

import (
	"fmt"
	"math"
	"strings"
	"sync"
)

// curve is a small picture of how something falls, on a logarithmic scale.
type curve struct {
	mu     sync.Mutex
	values []float64 // logarithms
	stride int       // every stride-th value is kept
	seen   int
}

const (
	curveLength = 64 // values that are kept
	curveWidth  = 120
	curveHeight = 18
)

// add takes a value; what has no logarithm is left out.
func (c *curve) add(v float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !(v > 0) || math.IsInf(v, 0) {
		return
	}
	c.stride = max(c.stride, 1)
	if c.seen++; (c.seen-1)%c.stride != 0 {
		return
	}
	if c.values = append(c.values, math.Log(v)); len(c.values) == curveLength { // every other one goes
		for i := range curveLength / 2 {
			c.values[i] = c.values[2*i]
		}
		c.values, c.stride = c.values[:curveLength/2], 2*c.stride
	}
}

// svg is the picture, "" as long as there is nothing to see.
func (c *curve) svg() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.values) < 3 {
		return ""
	}
	low, high := c.values[0], c.values[0]
	for _, v := range c.values {
		low, high = min(low, v), max(high, v)
	}
	var points strings.Builder
	for i, v := range c.values {
		x := float64(i) / float64(len(c.values)-1) * (curveWidth - 2)
		y := 1.0
		if high > low {
			y = (high - v) / (high - low) * (curveHeight - 2)
		}
		fmt.Fprintf(&points, "%.1f,%.1f ", x+1, y+1)
	}
	return fmt.Sprintf(` <svg width="%d" height="%d" style="vertical-align:middle" role="img" aria-label="gap so far"><polyline points="%s" fill="none" `+
		`stroke="var(--jp-brand-color1,#1976d2)" stroke-width="1.5"/></svg>`, curveWidth, curveHeight, strings.TrimSpace(points.String()))
}
