package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"text/template"
)

type Item struct {
	Name  string
	Price float64
	Tags  []string
}

func (i Item) Cheap() bool { return i.Price < 10 }

const page = `{{range $i, $e := .Items}}{{$i}}. {{.Name | upper}} {{printf "%.2f" .Price}}{{if cheap .}} cheap{{end}}{{range .Tags}} #{{.}}{{end}}
{{else}}none
{{end}}Total: {{len .Items}} {{.Note}}
`

func main() {
	t := template.Must(template.New("p").Funcs(template.FuncMap{"upper": strings.ToUpper, "cheap": Item.Cheap}).Parse(page))
	data := struct {
		Items []Item
		Note  string
	}{[]Item{{"pen", 1.5, []string{"a", "b"}}, {"desk", 120, nil}}, "done"}
	if err := t.Execute(os.Stdout, data); err != nil {
		fmt.Println(err)
	}
	re := regexp.MustCompile(`(\w+)@(\w+)\.com`)
	s := "bob@example.com, amy@test.com"
	fmt.Println(re.FindAllStringSubmatch(s, -1), re.ReplaceAllString(s, "$2:$1"))
	fmt.Println(re.ReplaceAllStringFunc(s, func(m string) string { return strings.ToUpper(m[:3]) }), re.MatchString("x"))
}
