package main

import "fmt"

func generate(ch chan<- int) {
	for i := 2; ; i++ {
		ch <- i
	}
}
func filter(in <-chan int, out chan<- int, prime int) {
	for {
		if i := <-in; i%prime != 0 {
			out <- i
		}
	}
}
func eratosthenes(n int) (ps []int) {
	composite := make([]bool, n+1)
	for i := 2; i <= n; i++ {
		if composite[i] {
			continue
		}
		ps = append(ps, i)
		for j := i * i; j <= n; j += i {
			composite[j] = true
		}
	}
	return
}

type future[T any] struct {
	done chan struct{}
	v    T
}

func async[T any](f func() T) *future[T] {
	r := &future[T]{done: make(chan struct{})}
	go func() { defer close(r.done); r.v = f() }()
	return r
}
func (f *future[T]) get() T { <-f.done; return f.v }
func pipeline(n int, stages ...func(int) int) []int {
	in := make(chan int)
	go func() {
		defer close(in)
		for i := range n {
			in <- i
		}
	}()
	var c <-chan int = in
	for _, s := range stages {
		out := make(chan int)
		go func(in <-chan int) {
			defer close(out)
			for v := range in {
				out <- s(v)
			}
		}(c)
		c = out
	}
	var r []int
	for v := range c {
		r = append(r, v)
	}
	return r
}
func main() {
	ch := make(chan int)
	go generate(ch)
	for range 8 {
		p := <-ch
		fmt.Print(p, " ")
		c := make(chan int)
		go filter(ch, c, p)
		ch = c
	}
	fmt.Println(eratosthenes(30))
	fs := []*future[int]{}
	for i := range 4 {
		fs = append(fs, async(func() int { return i * i }))
	}
	for _, f := range fs {
		fmt.Print(f.get(), " ")
	}
	fmt.Println(pipeline(5, func(x int) int { return x + 1 }, func(x int) int { return x * x }))
	reqs := make(chan chan string)
	go func() {
		for r := range reqs {
			r <- "reply"
		}
	}()
	r := make(chan string)
	reqs <- r
	fmt.Println(<-r)
	close(reqs)
	sem := make(chan struct{}, 2)
	results := make(chan int, 6)
	for i := range 6 {
		sem <- struct{}{}
		go func() { defer func() { <-sem }(); results <- i }()
	}
	sum := 0
	for range 6 {
		sum += <-results
	}
	fmt.Println(sum)
}
