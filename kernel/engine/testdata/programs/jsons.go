package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

type Address struct {
	Street string `json:"street"`
	Zip    int    `json:"zip,omitempty"`
}
type Person struct {
	Name   string   `json:"name"`
	Age    int      `json:"age"`
	Home   *Address `json:"home,omitempty"`
	Tags   []string `json:"tags"`
	secret string
}

func main() {
	p := Person{"Ann", 30, &Address{"Main", 0}, []string{"a", "b"}, "s"}
	b, err := json.Marshal(p)
	fmt.Println(string(b), err)
	var q Person
	err = json.Unmarshal([]byte(`{"name":"Bob","age":5,"home":{"street":"X","zip":9},"tags":null,"secret":"no"}`), &q)
	fmt.Println(q.Name, q.Age, *q.Home, q.Tags == nil, q.secret == "", err)
	err = json.Unmarshal([]byte(`{"age":"x"}`), &q)
	fmt.Println(err != nil)
	var m map[string]any
	json.Unmarshal([]byte(`{"a":[1,2,{"b":null}],"c":1.5}`), &m)
	fmt.Println(m["a"].([]any)[1], m["c"], m)
	e := json.NewEncoder(os.Stdout)
	e.SetIndent("", " ")
	e.Encode(map[string]int{"z": 1, "a": 2})
	dec := json.NewDecoder(strings.NewReader(`{"name":"S1"} {"name":"S2"}`))
	for dec.More() {
		var x Person
		if dec.Decode(&x) == nil {
			fmt.Print(x.Name, " ")
		}
	}
	fmt.Println()
}
