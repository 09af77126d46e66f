// Journal appends records to a file at the offset where the last one ended, and
// checks that all of them can be read back.
//
// Broken, although every access is locked: journal.append reserves nothing; it
// reads the end in one critical section, encodes the record, and writes at that
// offset in another. "Read end, write end" is expected to be one step.
package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"time"
)

const (
	writers = 5
	records = 10
)

type journal struct {
	mu   sync.Mutex
	end  int
	data [64 * writers * records]byte
}

func (j *journal) append(writer, n int) {
	j.mu.Lock()
	offset := j.end
	j.mu.Unlock()

	record := fmt.Appendf(nil, "%d/%d at %d\n", writer, n, offset)

	j.mu.Lock()
	copy(j.data[offset:], record)
	j.end = offset + len(record)
	j.mu.Unlock()
}

func main() {
	j := new(journal)
	var running sync.WaitGroup
	for w := range writers {
		running.Go(func() {
			for n := range records {
				time.Sleep(time.Duration(200+rand.IntN(2500)) * time.Microsecond)
				j.append(w, n)
			}
		})
	}
	running.Wait()
	if n := bytes.Count(j.data[:j.end], []byte{'\n'}); n != writers*records {
		fmt.Printf("WRONG: %d of %d records are in the journal\n", n, writers*records)
		os.Exit(1)
	}
	fmt.Printf("ok: %d records\n", writers*records)
}
