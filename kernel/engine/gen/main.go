// Gen writes the export data of packages as a zip file that engine.Options.Types can be.
//
//	gen -o FILE.zip PACKAGE...
package main

import (
	"bytes"
	"flag"
	"log"
	"os"

	"github.com/gonb-svm/gonb-svm/kernel/engine/exportdata"
)

func main() {
	log.SetFlags(0)
	out := flag.String("o", "", "file to write")
	flag.Parse()
	if *out == "" || flag.NArg() == 0 {
		log.Fatal("usage: gen -o FILE.zip PACKAGE...")
	}
	var b bytes.Buffer
	if err := exportdata.Write(&b, flag.Args()); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(*out, b.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}
