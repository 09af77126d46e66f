// Perkey keeps the progress of several download jobs in one sync.Map. Each
// goroutine loads and stores only the keys of its own job, so a Load followed
// by a Store is right although nothing else guards it; a monitor reads all
// entries meanwhile. The final progress is checked.
package main

import (
	"fmt"
	"hash/fnv"
	"os"
	"sync"
)

const (
	jobs   = 5
	files  = 4
	chunks = 10
)

type progress struct {
	chunks int
	digest uint64
}

type downloads struct {
	files sync.Map // file name to progress
}

// received notes that the next chunk of the file has come.
func (d *downloads) received(file string, chunk []byte) {
	var p progress
	if old, ok := d.files.Load(file); ok {
		p = old.(progress)
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%x", p.digest)
	h.Write(chunk)
	d.files.Store(file, progress{p.chunks + 1, h.Sum64()})
}

// seen returns the number of chunks that have come so far.
func (d *downloads) seen() int {
	n := 0
	d.files.Range(func(_, p any) bool {
		n += p.(progress).chunks
		return true
	})
	return n
}

// job fetches its files, a chunk of each in turn.
func job(d *downloads, number int) {
	for c := range chunks {
		for f := range files {
			name := fmt.Sprintf("job%d/file%d", number, f)
			d.received(name, fmt.Appendf(nil, "chunk %d of %s", c, name))
		}
	}
}

func main() {
	d := new(downloads)
	var running sync.WaitGroup
	start := make(chan struct{})
	for j := range jobs {
		running.Go(func() {
			<-start
			job(d, j)
		})
	}
	backwards := false
	running.Go(func() {
		<-start
		for last := 0; last < jobs*files*chunks/2; {
			now := d.seen()
			backwards = backwards || now < last
			last = now
		}
	})
	close(start)
	running.Wait()

	want := new(downloads)
	for j := range jobs {
		job(want, j)
	}
	bad := 0
	want.files.Range(func(file, p any) bool {
		if got, ok := d.files.Load(file); !ok || got != p {
			bad++
		}
		return true
	})
	if bad > 0 || backwards || d.seen() != jobs*files*chunks {
		fmt.Printf("WRONG: %d files differ, %d chunks seen\n", bad, d.seen())
		os.Exit(1)
	}
	fmt.Printf("ok: %d chunks of %d files\n", d.seen(), jobs*files)
}
