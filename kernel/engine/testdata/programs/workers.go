package main

import (
	"fmt"
	"sort"
	"sync"
)

type job struct{ id, n int }
type result struct {
	job
	sum int
}

func worker(id int, jobs <-chan job, results chan<- result, wg *sync.WaitGroup) {
	defer wg.Done()
	for j := range jobs {
		s := 0
		for i := 1; i <= j.n; i++ {
			s += i
		}
		results <- result{j, s}
	}
}
func main() {
	jobs := make(chan job)
	results := make(chan result, 3)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Add(1)
		go worker(i, jobs, results, &wg)
	}
	go func() {
		for i := range 20 {
			jobs <- job{i, i * 5}
		}
		close(jobs)
	}()
	go func() { wg.Wait(); close(results) }()
	var all []result
	for r := range results {
		all = append(all, r)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].id < all[j].id })
	for _, r := range all {
		fmt.Print(r.id, ":", r.sum, " ")
	}
	fmt.Println(len(all))
}
