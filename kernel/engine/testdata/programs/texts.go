package main

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

func reverse(s string) string {
	r := []rune(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}
func caesar(s string, k int) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return 'a' + (r-'a'+rune(k)+26)%26
		case 'A' <= r && r <= 'Z':
			return 'A' + (r-'A'+rune(k)+26)%26
		}
		return r
	}, s)
}
func rle(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && s[j] == s[i] {
			j++
		}
		b.WriteByte(s[i])
		if j-i > 1 {
			b.WriteString(strconv.Itoa(j - i))
		}
		i = j
	}
	return b.String()
}
func main() {
	s := "Grüße, 世界!"
	fmt.Println(reverse(s), len(s), utf8.RuneCountInString(s))
	for i, r := range "aé世\xff" {
		fmt.Print(i, ":", string(r), " ")
	}
	fmt.Println()
	fmt.Println(caesar("Hello, Zebra", 3), caesar(caesar("Hello", 3), -3))
	fmt.Println(rle("aaabccdddd"))
	fmt.Printf("%q %x %v %c %U\n", s[:5], s[:3], []byte(s)[:4], 'é', '世')
	b := []byte("bytes")
	b[0] = 'B'
	t := string(b)
	b[1] = 'Y'
	fmt.Println(t, string(b), t < string(b), t+"!"+"?")
	n, err := strconv.Atoi("12x")
	fmt.Println(n, err)
	fmt.Println(strings.Fields("  a b  c "), strings.Split("a,b,c", ","), strings.TrimLeft("xxabc", "x"), strings.Title("go lang"))
	r := strings.NewReplacer("a", "1", "b", "2")
	fmt.Println(r.Replace("abcab"), strings.EqualFold("Go", "GO"), strings.Count("cheese", "e"))
}
