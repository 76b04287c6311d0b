package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"hash/fnv"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
)

type record struct {
	name  string
	score float64
	ok    bool
}

func parse(line string) (r record, err error) {
	f := strings.Split(line, ",")
	if len(f) != 3 {
		return r, fmt.Errorf("line %q: %d fields", line, len(f))
	}
	r.name = strings.TrimSpace(f[0])
	if r.score, err = strconv.ParseFloat(strings.TrimSpace(f[1]), 64); err != nil {
		return
	}
	r.ok, err = strconv.ParseBool(strings.TrimSpace(f[2]))
	return
}
func main() {
	sc := bufio.NewScanner(strings.NewReader("ann, 3.5, true\nbob, x, false\nbad\ncid, 2, 1\n"))
	var rs []record
	for n := 1; sc.Scan(); n++ {
		r, err := parse(sc.Text())
		if err != nil {
			fmt.Println(n, err)
			continue
		}
		rs = append(rs, r)
	}
	fmt.Printf("%v %+v\n", rs, rs[0])
	w := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', tabwriter.AlignRight)
	for _, r := range rs {
		fmt.Fprintf(w, "%s\t%.1f\t%t\t\n", r.name, r.score, r.ok)
	}
	w.Flush()
	rows, err := csv.NewReader(strings.NewReader("a,\"b,c\"\n1,2\n")).ReadAll()
	fmt.Println(rows, len(rows[0]), err)
	var buf bytes.Buffer
	buf.Write(binary.LittleEndian.AppendUint32(nil, 77))
	fmt.Println(buf.Bytes(), binary.LittleEndian.Uint16([]byte{1, 2}))
	e := base64.StdEncoding.EncodeToString([]byte("hello"))
	d, _ := base64.StdEncoding.DecodeString(e)
	fmt.Println(e, string(d))
	fmt.Printf("%x\n", sha256.Sum256([]byte("abc")))
	h := fnv.New32a()
	h.Write([]byte("x"))
	fmt.Println(h.Sum32())
	fmt.Println(strconv.Quote("tab\t"), strconv.FormatInt(-255, 16), strconv.AppendInt(nil, 42, 10))
}
