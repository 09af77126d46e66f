// Command short has nothing but short functions, which its own loop and package sort call:
// none of them has a loop or as many as six accesses.
package main

import (
	"sort"
	"sync"

	"example.com/table"
)

func main() {
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			work(uint64(i))
		}()
	}
	wg.Wait()
}

func work(seed uint64) {
	t := table.New(1 << 12)
	for range 10000 {
		for i := range t.Len() {
			seed = seed*6364136223846793005 + 1442695040888963407
			t.Set(i, int(seed>>40))
		}
		sort.Sort(t)
		for i := 1; i < t.Len(); i++ {
			if t.Key(i) < t.Key(i-1) {
				panic("it is not sorted")
			}
		}
	}
}
