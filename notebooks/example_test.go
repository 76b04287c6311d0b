package notebooks_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/gonb-svm/gonb-svm/kernel/display"
	"github.com/gonb-svm/gonb-svm/notebooks"
)

// echo is a session whose cells print their own source.
type echo struct{}

func (echo) Execute(_ context.Context, cell display.Cell, out display.Output) display.Outcome {
	out.Stream("stdout", cell.Name()+" "+strings.ReplaceAll(cell.Source, "\n", "; ")+"\n")
	return display.Outcome{}
}

func ExampleRun() {
	n, err := notebooks.ReadScript(strings.NewReader("//%% tags=[\"parameters\"]\nC := 1.0\n//%%\nfmt.Println(C)\n"), "c.go")
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := notebooks.ParseParameter("C=10")
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := notebooks.Run(context.Background(), echo{}, n, notebooks.Options{Parameters: []notebooks.Parameter{c}, Stdout: os.Stdout})
	fmt.Println(report.Executed, report.OK(), err)
	// Output:
	// In[1] C := 1.0
	// In[2] // Parameters; C = 10
	// In[3] fmt.Println(C)
	// 3 true <nil>
}

func ExampleRead() {
	_, err := notebooks.Read(strings.NewReader("{\n \"cells\": [],\n    }"), "quickstart.ipynb")
	fmt.Println(err)
	// Output: quickstart.ipynb: not a notebook: invalid character '}' at line 3 column 5
}
