// Refcount hands out files that are closed when the last user lets go, and
// checks that nobody has one that is closed.
//
// Broken, although every access is atomic: file.acquire finds users and adds
// itself. "Load users, Add users" is expected to be one step; the last of them
// may close the file in between.
package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

const (
	files   = 30
	readers = 3
)

type file struct {
	users  atomic.Int32
	closed atomic.Bool
}

// acquire fails if the file is closed.
func (f *file) acquire() bool {
	if f.users.Load() == 0 {
		return false
	}
	f.users.Add(1)
	return true
}

func (f *file) release() {
	if f.users.Add(-1) == 0 {
		f.closed.Store(true)
	}
}

func main() {
	var stale, reads atomic.Int32
	var running sync.WaitGroup
	for range files {
		f := new(file)
		f.users.Store(1) // the opener
		running.Go(func() {
			time.Sleep(time.Duration(500+rand.IntN(1000)) * time.Microsecond)
			f.release()
		})
		for range readers {
			running.Go(func() {
				time.Sleep(time.Duration(500+rand.IntN(1000)) * time.Microsecond)
				if !f.acquire() {
					return
				}
				if f.closed.Load() {
					stale.Add(1)
				}
				reads.Add(1)
				time.Sleep(100 * time.Microsecond)
				f.release()
			})
		}
		time.Sleep(400 * time.Microsecond)
	}
	running.Wait()
	if n := stale.Load(); n > 0 {
		fmt.Printf("WRONG: %d reads of closed files\n", n)
		os.Exit(1)
	}
	fmt.Printf("ok: %d reads\n", reads.Load())
}
