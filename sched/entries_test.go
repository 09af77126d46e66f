package sched_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/atomrace/atomrace/sched"
)

// TestNumberedEntries: maps with keys that have no order are visited in one that follows
// from the seed, and wholly.
func TestNumberedEntries(t *testing.T) {
	visit := func(seed uint64) string {
		said := ""
		run(t, sched.Options{Seed: seed}, func() {
			type node struct{ name string }
			byPointer, byAny, byValue := map[*node]int{}, map[any]int{}, map[[2]float64]int{}
			for i := range 9 {
				byPointer[sched.Key(&node{fmt.Sprint(i)})] = i
				byAny[sched.Key(any(i))] = i
				byValue[sched.Key([2]float64{float64(i), 1})] = i
			}
			byAny[sched.Key(any(&node{"any"}))] = 9
			byValue[[2]float64{math.NaN(), 1}] = 9
			for e, k, v := sched.NumberedEntries(byPointer); sched.NextEntry(e, &k, &v); {
				said += fmt.Sprint(k.name, v, " ")
			}
			for e, k, v := sched.NumberedEntries(byAny); sched.NextEntry(e, &k, &v); {
				said += fmt.Sprint(v, " ")
			}
			n := 0
			for e, k, v := sched.NumberedEntries(byValue); sched.NextEntry(e, &k, &v); n++ {
				said += fmt.Sprint(v, " ")
				delete(byValue, [2]float64{7, 1})
			}
			assert(n == 10 || n == 9, "%d entries", n)
		})
		return said
	}
	orders := map[string]bool{}
	for seed := range uint64(10) {
		first := visit(seed)
		orders[first] = true
		if again := visit(seed); again != first {
			t.Errorf("seed %d: %s\nand then %s", seed, first, again)
		}
	}
	if len(orders) < 10 {
		t.Errorf("%d orders under 10 seeds", len(orders))
	}
}
