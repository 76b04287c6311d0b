package main

import "fmt"

type node[K comparable, V any] struct {
	k          K
	v          V
	prev, next *node[K, V]
}
type LRU[K comparable, V any] struct {
	cap        int
	m          map[K]*node[K, V]
	head, tail *node[K, V]
	evicted    func(K, V)
}

func NewLRU[K comparable, V any](n int, evicted func(K, V)) *LRU[K, V] {
	l := &LRU[K, V]{cap: n, m: make(map[K]*node[K, V]), evicted: evicted}
	l.head, l.tail = &node[K, V]{}, &node[K, V]{}
	l.head.next, l.tail.prev = l.tail, l.head
	return l
}
func (l *LRU[K, V]) unlink(n *node[K, V]) { n.prev.next, n.next.prev = n.next, n.prev }
func (l *LRU[K, V]) front(n *node[K, V]) {
	n.prev, n.next = l.head, l.head.next
	l.head.next.prev = n
	l.head.next = n
}
func (l *LRU[K, V]) Get(k K) (v V, ok bool) {
	n, ok := l.m[k]
	if !ok {
		return
	}
	l.unlink(n)
	l.front(n)
	return n.v, true
}
func (l *LRU[K, V]) Put(k K, v V) {
	if n, ok := l.m[k]; ok {
		n.v = v
		l.unlink(n)
		l.front(n)
		return
	}
	n := &node[K, V]{k: k, v: v}
	l.m[k] = n
	l.front(n)
	if len(l.m) > l.cap {
		last := l.tail.prev
		l.unlink(last)
		delete(l.m, last.k)
		l.evicted(last.k, last.v)
	}
}
func main() {
	l := NewLRU(2, func(k string, v int) { fmt.Println("evict", k, v) })
	l.Put("a", 1)
	l.Put("b", 2)
	fmt.Println(l.Get("a"))
	l.Put("c", 3)
	fmt.Println(l.Get("b"))
	l.Put("a", 10)
	l.Put("d", 4)
	for n := l.head.next; n != l.tail; n = n.next {
		fmt.Print(n.k, n.v, " ")
	}
	fmt.Println(len(l.m))
}
