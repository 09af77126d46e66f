// Mapcount counts how often each word occurs in a text that several goroutines
// read in parts, and checks the counts against a plain sequential count.
//
// Broken, although every access to the map is made under the mutex:
// tally.add reads the count of a word in one critical section and stores it,
// incremented, in another. "Read counts[word], write counts[word]" is expected
// to be one step; two readers of the same word count it once.
package main

import (
	"fmt"
	"maps"
	"os"
	"strings"
	"sync"
)

const (
	readers = 5
	copies  = 25 // of the poem, for each reader
)

const poem = `
Row, row, row your boat,
Gently down the stream,
Merrily, merrily, merrily, merrily,
Life is but a dream.
`

type tally struct {
	mu     sync.Mutex
	counts map[string]int
}

func (t *tally) add(word string) {
	t.mu.Lock()
	n := t.counts[word]
	t.mu.Unlock()

	t.mu.Lock()
	t.counts[word] = n + 1
	t.mu.Unlock()
}

// words calls each with every word of the text, in lower case and without
// punctuation.
func words(text string, each func(string)) {
	for _, field := range strings.Fields(text) {
		each(strings.ToLower(strings.Trim(field, ".,;:!?")))
	}
}

func main() {
	t := &tally{counts: make(map[string]int)}
	var reading sync.WaitGroup
	start := make(chan struct{})
	for range readers {
		reading.Go(func() {
			<-start
			for range copies {
				words(poem, t.add)
			}
		})
	}
	close(start)
	reading.Wait()

	want := make(map[string]int)
	total := 0
	words(strings.Repeat(poem, readers*copies), func(word string) {
		want[word]++
		total++
	})
	if !maps.Equal(t.counts, want) {
		counted := 0
		for _, n := range t.counts {
			counted += n
		}
		fmt.Printf("WRONG: %d of %d words were counted\n", counted, total)
		os.Exit(1)
	}
	fmt.Printf("ok: %d words, %d different ones\n", total, len(want))
}
