// Once looks words up in dictionaries that are built when they are first
// needed, by whichever goroutine comes first, behind a sync.Once and a
// sync.OnceValue; it checks the answers and that each was built once.
package main

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
)

const (
	readers = 6
	shelves = 25
	entries = 20
)

type dictionary struct {
	name string

	once  sync.Once
	words map[string]int
	built int // how often words was made
}

func (d *dictionary) load() {
	d.words = make(map[string]int, entries)
	for i := range entries {
		d.words[fmt.Sprintf("%s-%d", d.name, i)] = len(d.name) + i
	}
	d.built++
}

// lookup returns the meaning of the word, loading the dictionary if need be.
func (d *dictionary) lookup(word string) (int, bool) {
	d.once.Do(d.load)
	meaning, ok := d.words[word]
	return meaning, ok
}

var indexes atomic.Int32

var index = sync.OnceValue(func() map[string]bool {
	indexes.Add(1)
	all := make(map[string]bool)
	for s := range shelves {
		all[fmt.Sprintf("shelf%d", s)] = true
	}
	return all
})

func main() {
	library := make([]*dictionary, shelves)
	for s := range library {
		library[s] = &dictionary{name: fmt.Sprintf("shelf%d", s)}
	}
	var wrong atomic.Int32
	var reading sync.WaitGroup
	start := make(chan struct{})
	for r := range readers {
		reading.Go(func() {
			<-start
			for _, d := range library {
				word := fmt.Sprintf("%s-%d", d.name, r)
				if meaning, ok := d.lookup(word); !ok || meaning != len(d.name)+r || !index()[d.name] {
					wrong.Add(1)
				}
			}
		})
	}
	close(start)
	reading.Wait()

	built := 0
	for _, d := range library {
		built += d.built
	}
	if wrong.Load() > 0 || built != shelves || indexes.Load() != 1 {
		fmt.Printf("WRONG: %d answers wrong, %d dictionaries built for %d shelves, %d indexes\n",
			wrong.Load(), built, shelves, indexes.Load())
		os.Exit(1)
	}
	fmt.Printf("ok: %d lookups, %d dictionaries built once each\n", readers*shelves, built)
}
