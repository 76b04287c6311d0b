package symbols

import (
	_ "embed"
	"io/fs"

	"github.com/gonb-svm/gonb-svm/kernel/engine/exportdata"
)

//go:embed types.zip
var typesZip []byte

// Types is the export data of the packages in Symbols that are not of the standard library: what
// the type-checker of cells knows of them. go generate writes it with the tables.
func Types() (fs.FS, error) { return exportdata.Open(typesZip) }
