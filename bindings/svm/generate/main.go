// Command generate writes aliases.go of bindings/svm; go generate runs it there.
package main

import (
	"log"
	"os"

	"github.com/gonb-svm/gonb-svm/bindings/internal/aliases"
)

func main() {
	log.SetFlags(0)
	source, err := aliases.Source()
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("aliases.go", source, 0o644); err != nil {
		log.Fatal(err)
	}
}
