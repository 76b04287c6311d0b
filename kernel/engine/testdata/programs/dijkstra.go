package main

import (
	"container/heap"
	"fmt"
	"math"
	"sort"
	"strings"
)

type edge struct {
	to string
	w  float64
}
type graph map[string][]edge

func (g graph) add(a, b string, w float64) {
	g[a] = append(g[a], edge{b, w})
	g[b] = append(g[b], edge{a, w})
}

type entry struct {
	node string
	d    float64
}
type pq []entry

func (p pq) Len() int           { return len(p) }
func (p pq) Less(i, j int) bool { return p[i].d < p[j].d }
func (p pq) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }
func (p *pq) Push(x any)        { *p = append(*p, x.(entry)) }
func (p *pq) Pop() (x any)      { x = (*p)[len(*p)-1]; *p = (*p)[:len(*p)-1]; return }
func (g graph) shortest(from, to string) (float64, []string) {
	dist, prev := map[string]float64{from: 0}, map[string]string{}
	q := &pq{{from, 0}}
	for q.Len() > 0 {
		e := heap.Pop(q).(entry)
		if e.node == to {
			break
		}
		if e.d > dist[e.node] {
			continue
		}
		for _, n := range g[e.node] {
			d := e.d + n.w
			if old, ok := dist[n.to]; !ok || d < old {
				dist[n.to] = d
				prev[n.to] = e.node
				heap.Push(q, entry{n.to, d})
			}
		}
	}
	d, ok := dist[to]
	if !ok {
		return math.Inf(1), nil
	}
	path := []string{to}
	for path[0] != from {
		path = append([]string{prev[path[0]]}, path...)
	}
	return d, path
}
func (g graph) bfs(from string, visit func(string, int)) {
	seen := map[string]bool{from: true}
	for level, cur := 0, []string{from}; len(cur) > 0; level++ {
		var next []string
		for _, n := range cur {
			visit(n, level)
			es := append([]edge(nil), g[n]...)
			sort.Slice(es, func(i, j int) bool { return es[i].to < es[j].to })
			for _, e := range es {
				if !seen[e.to] {
					seen[e.to] = true
					next = append(next, e.to)
				}
			}
		}
		cur = next
	}
}
func main() {
	g := graph{}
	for _, l := range strings.Split("a-b:7 a-c:9 a-f:14 b-c:10 b-d:15 c-d:11 c-f:2 d-e:6 e-f:9 x-y:1", " ") {
		var a, b string
		var w float64
		p := strings.FieldsFunc(l, func(r rune) bool { return r == '-' || r == ':' })
		a, b = p[0], p[1]
		fmt.Sscan(p[2], &w)
		g.add(a, b, w)
	}
	fmt.Println(g.shortest("a", "e"))
	fmt.Println(g.shortest("a", "y"))
	g.bfs("a", func(n string, l int) { fmt.Print(n, l, " ") })
	fmt.Println()
}
