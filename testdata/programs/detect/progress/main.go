// Progress adds up by atomic operations how much of a download is done, and
// starts anew with a plain store when a mirror fails; it checks the sum of what
// was seen.
//
// Broken: download.reset reads and writes done plainly, while others Add to it.
// "Read done, write done" is expected to be one step.
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
	parts  = 5
	chunks = 15
)

type download struct {
	done  int64
	total atomic.Int64
}

func (d *download) received(n int64) { atomic.AddInt64(&d.done, n) }

// collect moves what is done to the total.
func (d *download) collect() {
	n := d.done
	d.done = 0
	d.total.Add(n)
}

func main() {
	d := new(download)
	var running, showing sync.WaitGroup
	stop := make(chan struct{})
	showing.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(700 * time.Microsecond):
				d.collect()
			}
		}
	})
	for range parts {
		running.Go(func() {
			for range chunks {
				time.Sleep(time.Duration(200+rand.IntN(900)) * time.Microsecond)
				d.received(1024)
			}
		})
	}
	running.Wait()
	close(stop)
	showing.Wait()
	d.collect()
	if got := d.total.Load(); got != parts*chunks*1024 {
		fmt.Printf("WRONG: %d bytes shown, %d received\n", got, parts*chunks*1024)
		os.Exit(1)
	}
	fmt.Printf("ok: %d bytes\n", d.total.Load())
}
