package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

type bank struct {
	mu   sync.RWMutex
	acct map[string]int
}

func (b *bank) deposit(k string, n int) { b.mu.Lock(); defer b.mu.Unlock(); b.acct[k] += n }
func (b *bank) balance(k string) int    { b.mu.RLock(); defer b.mu.RUnlock(); return b.acct[k] }

var once sync.Once

func setup() { fmt.Println("setup") }
func main() {
	b := &bank{acct: map[string]int{}}
	var n atomic.Int64
	var old int32
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 20 {
				b.deposit([]string{"x", "y"}[i%2], i)
				n.Add(1)
				atomic.AddInt32(&old, 2)
			}
			once.Do(setup)
		}()
	}
	wg.Wait()
	fmt.Println(b.balance("x"), b.balance("y"), n.Load(), old)
	v := sync.OnceValue(func() int { fmt.Println("computed"); return 42 })
	fmt.Println(v(), v())
	var m sync.Map
	m.Store("a", 1)
	got, ok := m.Load("a")
	_, loaded := m.LoadOrStore("b", 2)
	fmt.Println(got, ok, loaded)
	pool := sync.Pool{New: func() any { return new([]int) }}
	p := pool.Get().(*[]int)
	*p = append(*p, 1)
	fmt.Println(*p)
	c := sync.NewCond(&sync.Mutex{})
	ready := false
	go func() { c.L.Lock(); ready = true; c.L.Unlock(); c.Broadcast() }()
	c.L.Lock()
	for !ready {
		c.Wait()
	}
	c.L.Unlock()
	var ptr atomic.Pointer[bank]
	ptr.Store(b)
	fmt.Println(ready, ptr.Load() == b, ptr.CompareAndSwap(b, nil), ptr.Load() == nil)
}
