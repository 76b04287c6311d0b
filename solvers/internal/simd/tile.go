package simd

import "fmt"

// Float is float32, for which there is assembly, or float64.
type Float interface{ float32 | float64 }

// Tile is vectors z side by side, with what makes f(x) = Σᵥ Weightᵥ·K(zᵥ, x) of them. Where a panel
// holds the points that rows are compared with, a tile holds the vectors that are being moved: rows
// are sparse, so that their zeros cost nothing, and the work is all in whole registers.
type Tile[T Float] struct {
	Lanes  int // vectors, those of weight 0 too: 16, 32 or 64
	Dim    int
	Value  []T // Dim groups of Lanes: group j is feature j of the vectors
	Half   []T // ‖z‖²/2
	Scale  []T // Exponential: the factor s ≤ 0 of 2^(s·(‖x‖²/2 + ‖z‖²/2 - x·z)), -2γ/ln 2
	Weight []T
}

// NewTile is a tile of zeros.
func NewTile[T Float](lanes, dim int) *Tile[T] {
	return &Tile[T]{Lanes: lanes, Dim: dim, Value: make([]T, lanes*dim), Half: make([]T, lanes), Scale: make([]T, lanes), Weight: make([]T, lanes)}
}

// Entries are sparse rows for tiles.
type Entries[T Float] struct {
	Start  []int32  // row r has the entries Start[r] … Start[r+1]-1; one more than rows
	Offset []uint32 // TileOffset of each entry's feature
	Value  []T      // of each entry
	Half   []T      // ‖x‖²/2 of each row
	Last   uint32   // the greatest Offset
}

// TileOffset is the entry of Entries.Offset for a feature: bytes in a tile of 16 float32.
func TileOffset(feature int32) uint32 { return uint32(feature) * 64 }

// MostTileFeatures is the number of features whose offsets fit.
const MostTileFeatures = 1 << 25

// Forward computes values[i·Lanes + v] = K(z_v, x_r) for the rows r = rows[i], K being the Kind
// Dot or Exponential, and adds Σᵥ Weight_v·values[i·Lanes + v] to sums[i].
func Forward[T Float](path Path, kind Kind, t *Tile[T], x *Entries[T], rows []int32, values, sums []T) {
	checkTile(t, x, rows)
	if kind == Power || len(values) < len(rows)*t.Lanes || len(sums) < len(rows) {
		panic(fmt.Sprintf("simd: %d values and %d sums for %d rows, kind %d", len(values), len(sums), len(rows), kind))
	}
	if len(rows) == 0 {
		return
	}
	single, ok := any(t).(*Tile[float32])
	if path == Go || !ok {
		goForward(kind, t, x, rows, values, sums)
		return
	}
	path.forward(kind, single, any(x).(*Entries[float32]), rows, any(values).([]float32), any(sums).([]float32))
}

// Backward adds slope[i]·values[i·Lanes + v]·x_r to the vector v of gradient, laid out as
// Tile.Value, and slope[i]·values[i·Lanes + v] to total[v], for the rows r = rows[i]. Rows of
// slope 0 cost nothing.
func Backward[T Float](path Path, t *Tile[T], x *Entries[T], rows []int32, values, slope, gradient, total []T) {
	checkTile(t, x, rows)
	if len(values) < len(rows)*t.Lanes || len(slope) < len(rows) || len(gradient) < t.Dim*t.Lanes || len(total) < t.Lanes {
		panic(fmt.Sprintf("simd: %d values, %d slopes, gradient of %d for %d rows", len(values), len(slope), len(gradient), len(rows)))
	}
	if len(rows) == 0 {
		return
	}
	_, ok := any(t).(*Tile[float32])
	if path == Go || !ok {
		goBackward(t, x, rows, values, slope, gradient, total)
		return
	}
	path.backward(t.Lanes, any(x).(*Entries[float32]), rows, any(values).([]float32), any(slope).([]float32),
		any(gradient).([]float32), any(total).([]float32))
}

// Moments is the rule by which Adam moves a number z of gradient g: first ← Keep1·first + (1-Keep1)·g,
// second ← Keep2·second + (1-Keep2)·g², z ← z - Rate·first/(√second + Floor).
type Moments struct{ Rate, Keep1, Keep2, Floor float64 }

// Descend makes one step of Adam for the vectors of a tile, whose gradients are
// factor[v]·(gradient_v - pull[v]·z_v), sets gradient to 0 and brings Half up to date.
func Descend[T Float](path Path, m Moments, t *Tile[T], gradient, first, second, factor, pull []T) {
	n := t.Dim * t.Lanes
	if len(t.Value) < n || len(gradient) < n || len(first) < n || len(second) < n || len(t.Half) < t.Lanes ||
		len(factor) < t.Lanes || len(pull) < t.Lanes {
		panic(fmt.Sprintf("simd: a gradient of %d and moments of %d for %d numbers", len(gradient), min(len(first), len(second)), n))
	}
	if t.Dim == 0 {
		return
	}
	single, ok := any(t).(*Tile[float32])
	if path == Go || !ok {
		goDescend(m, t, gradient, first, second, factor, pull)
		return
	}
	path.descend(m, single, any(gradient).([]float32), any(first).([]float32), any(second).([]float32),
		any(factor).([]float32), any(pull).([]float32))
}

// checkTile panics where the routines would read outside of the slices.
func checkTile[T Float](t *Tile[T], x *Entries[T], rows []int32) {
	count := len(x.Start) - 1
	ok := (t.Lanes == 16 || t.Lanes == 32 || t.Lanes == 64) && len(t.Value) >= t.Dim*t.Lanes &&
		len(t.Half) >= t.Lanes && len(t.Scale) >= t.Lanes && len(t.Weight) >= t.Lanes &&
		len(x.Half) >= count && len(x.Offset) >= int(x.Start[count]) && len(x.Value) >= int(x.Start[count])
	if !ok {
		panic(fmt.Sprintf("simd: a tile of %d lanes and %d features for %d rows", t.Lanes, t.Dim, count))
	}
	if x.Start[count] > 0 && int(x.Last) >= 64*t.Dim {
		panic(fmt.Sprintf("simd: a row has feature %d of %d", x.Last/64, t.Dim))
	}
	for _, r := range rows {
		if uint(r) >= uint(count) {
			panic(fmt.Sprintf("simd: row %d of %d", r, count))
		}
	}
}
