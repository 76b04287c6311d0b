package solvers_test

import (
	"context"
	"fmt"

	"github.com/gonb-svm/gonb-svm/solvers"
)

func ExampleOneVsRest() {
	x := [][]float64{{0, 0}, {0, 1}, {5, 0}, {5, 1}, {0, 5}, {1, 5}}
	train, err := solvers.FromDense(x, []float64{1, 1, 2, 2, 3, 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := solvers.OneVsRest{Solver: solvers.SMO{C: 10}}.Fit(context.Background(), train)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Predictions(train), r.ErrorRate(train))
	// Output: [1 1 2 2 3 3] 0
}
