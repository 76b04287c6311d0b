// Command interpreted writes the notebook that shows what interpreted Go can do. Its text is
// interpreted-go.md; its cells are those of the engine's tests, so that the notebook cannot promise
// what is not tested.
package main

import (
	"log"
	"os"
)

//go:generate go run . ../examples/interpreted-go.ipynb
//go:generate go run ../../cmd/gonb-svm run -o ../examples/interpreted-go.ipynb ../examples/interpreted-go.ipynb

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("want the name of the notebook to be written")
	}
	cells, err := read("interpreted-go.md", "../../kernel/engine/testdata")
	if err != nil {
		log.Fatal(err)
	}
	data, err := encode(cells)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(os.Args[1], data, 0o644); err != nil {
		log.Fatal(err)
	}
}
