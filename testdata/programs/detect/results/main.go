// Results collects what workers have found in one slice and checks that nothing
// is missing.
//
// Broken: search appends to the slice with no lock. "Read found, write found"
// is expected to be one step.
package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"time"
)

const (
	workers = 5
	files   = 14
)

type search struct {
	word  string
	found []string
}

func (s *search) look(name, text string) {
	if strings.Contains(text, s.word) {
		s.found = append(s.found, name)
	}
}

func main() {
	s := &search{word: "atomic"}
	var running sync.WaitGroup
	for w := range workers {
		running.Go(func() {
			for f := range files {
				time.Sleep(time.Duration(200+rand.IntN(1200)) * time.Microsecond) // the file is read
				s.look(fmt.Sprintf("%d/%d.txt", w, f), "nothing is atomic")
			}
		})
	}
	running.Wait()
	if n := len(s.found); n != workers*files {
		fmt.Printf("WRONG: %d of %d files found\n", n, workers*files)
		os.Exit(1)
	}
	fmt.Printf("ok: %d files\n", workers*files)
}
