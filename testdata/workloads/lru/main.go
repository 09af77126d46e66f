// Command lru lets eight goroutines read and fill one cache of a fixed size.
package main

import (
	"fmt"
	"math/rand/v2"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
)

func main() {
	cache, err := lru.New[uint64, uint64](1 << 14)
	if err != nil {
		panic(err)
	}
	var wg sync.WaitGroup
	hits := make([]int, 8)
	for g := range hits {
		wg.Add(1)
		go func() {
			defer wg.Done()
			random := rand.New(rand.NewPCG(1, uint64(g)))
			found := 0
			for range 1_800_000 {
				key := random.Uint64N(1 << 15)
				if _, ok := cache.Get(key); ok {
					found++
				} else {
					cache.Add(key, key*key)
				}
			}
			hits[g] = found
		}()
	}
	wg.Wait()
	sum := 0
	for _, h := range hits {
		sum += h
	}
	if cache.Len() != 1<<14 || sum < 1_000_000 {
		fmt.Println("wrong:", cache.Len(), sum)
	}
}
