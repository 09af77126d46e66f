// Touched counts how often the documents of a store are read, and checks the
// counts.
//
// Broken: store.read counts under the read lock, which several readers hold at
// once. "Read, add, write" is expected to be one step.
package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"time"
)

const (
	readers = 5
	rounds  = 10
)

type document struct {
	text  string
	reads int
}

type store struct {
	mu   sync.RWMutex
	docs map[string]*document
}

func (s *store) read(name string) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	d := s.docs[name]
	if d == nil {
		return ""
	}
	d.reads++
	return d.text
}

func (s *store) write(name, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.docs[name] = &document{text: text}
}

func main() {
	s := &store{docs: make(map[string]*document)}
	names := []string{"contract", "letter", "minutes"}
	for _, name := range names {
		s.write(name, "text of the "+name)
	}
	var running sync.WaitGroup
	for range readers {
		running.Go(func() {
			for range rounds {
				for _, name := range names {
					time.Sleep(time.Duration(100+rand.IntN(700)) * time.Microsecond)
					s.read(name)
				}
			}
		})
	}
	running.Wait()
	for name, d := range s.docs {
		if d.reads != readers*rounds {
			fmt.Printf("WRONG: %d of %d reads of the %s were counted\n", d.reads, readers*rounds, name)
			os.Exit(1)
		}
	}
	fmt.Printf("ok: %d reads each\n", readers*rounds)
}
