package main

import (
	"fmt"
	"time"
)

type event struct {
	at   time.Time
	what string
}

func (e event) String() string { return e.at.Format("Jan 2 15:04") + " " + e.what }
func main() {
	d := 90*time.Minute + 30*time.Second
	fmt.Println(d, d.Hours(), d.Truncate(time.Minute), time.Duration(1500)*time.Microsecond)
	t := time.Date(2024, time.February, 28, 23, 30, 0, 0, time.UTC)
	e := event{t, "start"}
	fmt.Println(e, []event{e, {t.Add(d), "end"}})
	fmt.Println(t.AddDate(0, 0, 2).Weekday(), t.YearDay(), t.Month() == time.February, t.Add(d).Sub(t))
	p, err := time.Parse(time.RFC3339, "2025-01-02T03:04:05Z")
	fmt.Println(p, err, p.After(t), p.Unix())
	_, err = time.Parse("2006-01-02", "nope")
	fmt.Println(err != nil)
	x, _ := time.ParseDuration("1h15m")
	switch {
	case x > time.Hour:
		fmt.Println("long", x)
	default:
		fmt.Println("short")
	}
	fmt.Printf("%v %d %s %T\n", time.March, time.March, time.Sunday, time.Second)
}
