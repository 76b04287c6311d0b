package main

import (
	"container/heap"
	"container/list"
	"fmt"
)

type item struct {
	v          string
	pri, index int
}
type queue []*item

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].pri > q[j].pri }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i]; q[i].index, q[j].index = i, j }
func (q *queue) Push(x any)        { it := x.(*item); it.index = len(*q); *q = append(*q, it) }
func (q *queue) Pop() any          { old := *q; n := len(old); it := old[n-1]; *q = old[:n-1]; return it }
func main() {
	q := queue{}
	for i, w := range []string{"low", "high", "mid"} {
		heap.Push(&q, &item{v: w, pri: []int{1, 9, 5}[i]})
	}
	q[len(q)-1].pri = 20
	heap.Fix(&q, len(q)-1)
	for q.Len() > 0 {
		it := heap.Pop(&q).(*item)
		fmt.Print(it.v, it.pri, " ")
	}
	fmt.Println()
	l := list.New()
	e := l.PushBack(4)
	l.PushFront(1)
	l.InsertBefore(3, e)
	for e := l.Front(); e != nil; e = e.Next() {
		fmt.Print(e.Value, " ")
	}
	fmt.Println(l.Len())
}
