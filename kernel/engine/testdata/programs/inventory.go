package main

import (
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"
)

type SKU string
type Item struct {
	SKU
	Name  string
	Qty   int
	Price float64
	tags  map[string]bool
}
type Store struct {
	sync.Mutex
	items map[SKU]*Item
	hooks []func(op string, it Item)
}
type StockError struct {
	SKU
	Want, Have int
}

func (e StockError) Error() string { return fmt.Sprintf("%s: want %d, have %d", e.SKU, e.Want, e.Have) }

var ErrUnknown = errors.New("unknown item")

func (s *Store) fire(op string, it Item) {
	for _, h := range s.hooks {
		h(op, it)
	}
}
func (s *Store) Add(sku SKU, name string, qty int, price float64, tags ...string) *Item {
	s.Lock()
	defer s.Unlock()
	if s.items == nil {
		s.items = map[SKU]*Item{}
	}
	it, ok := s.items[sku]
	if !ok {
		it = &Item{SKU: sku, Name: name, Price: price, tags: map[string]bool{}}
		s.items[sku] = it
	}
	it.Qty += qty
	for _, t := range tags {
		it.tags[t] = true
	}
	s.fire("add", *it)
	return it
}
func (s *Store) Take(sku SKU, n int) (cost float64, err error) {
	s.Lock()
	defer s.Unlock()
	it, ok := s.items[sku]
	switch {
	case !ok:
		return 0, fmt.Errorf("take %v: %w", sku, ErrUnknown)
	case it.Qty < n:
		return 0, &StockError{sku, n, it.Qty}
	}
	it.Qty -= n
	s.fire("take", *it)
	return float64(n) * it.Price, nil
}
func (s *Store) Report(less func(a, b *Item) bool) string {
	var l []*Item
	for _, it := range s.items {
		l = append(l, it)
	}
	sort.Slice(l, func(i, j int) bool { return less(l[i], l[j]) })
	var b strings.Builder
	for i, it := range l {
		fmt.Fprintf(&b, "%d %-4s %-6s %3d %7.2f %v\n", i+1, it.SKU, it.Name, it.Qty, it.Price, it.tags)
	}
	return b.String()
}
func main() {
	var s Store
	var log []string
	s.hooks = append(s.hooks, func(op string, it Item) { log = append(log, op+":"+string(it.SKU)) })
	s.Add("a1", "apple", 10, 0.5, "fruit", "red")
	s.Add("b2", "bread", 2, 3)
	s.Add("a1", "", 5, 0)
	fmt.Println(s.Take("a1", 4))
	_, err := s.Take("b2", 5)
	var se *StockError
	fmt.Println(err, errors.As(err, &se), se.Have, se.SKU)
	_, err = s.Take("zz", 1)
	fmt.Println(err, errors.Is(err, ErrUnknown))
	fmt.Print(s.Report(func(a, b *Item) bool { return a.Price > b.Price }))
	fmt.Println(log, len(s.items))
	var wg sync.WaitGroup
	for range 5 {
		wg.Go(func() { s.Take("a1", 1) })
	}
	wg.Wait()
	fmt.Println(s.items["a1"].Qty, *s.items["b2"])
}
