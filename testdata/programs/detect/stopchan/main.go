// Stopchan stops workers that both their supervisor and their own failure may
// stop, and checks that no stop panics.
//
// Broken: worker.stop looks whether the channel is closed already, and closes
// it. "Test quit, close quit" is expected to be one step; a second close
// panics.
package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

const workers = 40

type worker struct {
	quit chan struct{}
}

func (w *worker) stop() {
	select {
	case <-w.quit:
	default:
		close(w.quit)
	}
}

func (w *worker) run() {
	<-w.quit
}

func stopSafely(w *worker, panics *atomic.Int32) {
	defer func() {
		if recover() != nil {
			panics.Add(1)
		}
	}()
	w.stop()
}

func main() {
	var panics atomic.Int32
	var running sync.WaitGroup
	for range workers {
		w := &worker{quit: make(chan struct{})}
		running.Go(w.run)
		for range 2 { // the supervisor, the worker's own watchdog
			running.Go(func() {
				time.Sleep(time.Duration(1+rand.IntN(3)) * time.Millisecond)
				stopSafely(w, &panics)
			})
		}
		time.Sleep(500 * time.Microsecond)
	}
	running.Wait()
	if n := panics.Load(); n > 0 {
		fmt.Printf("WRONG: %d stops panicked\n", n)
		os.Exit(1)
	}
	fmt.Printf("ok: %d workers stopped\n", workers)
}
