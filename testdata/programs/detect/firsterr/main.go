// Firsterr copies the shards of an index in parallel and keeps the error of the
// first one that failed; it checks that the number of failures is right and
// that the error is the first one's.
//
// Broken: copyAll's goroutines test and set the variables that they capture with
// no lock. "Test err, set err" and "read, add, write" are expected to be one
// step.
package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"time"
)

const (
	indexes = 10
	shards  = 5
)

func copyShard(n int) error {
	time.Sleep(time.Duration(200+rand.IntN(800)) * time.Microsecond)
	if n%2 == 0 {
		return fmt.Errorf("shard %d: disk full", n)
	}
	return nil
}

func copyAll() (err error, failures int) {
	var running sync.WaitGroup
	for n := range shards {
		running.Go(func() {
			e := copyShard(n)
			if e == nil {
				return
			}
			if err == nil {
				err = e
			}
			failures++
		})
	}
	running.Wait()
	return err, failures
}

func main() {
	for range indexes {
		err, failures := copyAll()
		if want := (shards + 1) / 2; err == nil || failures != want {
			fmt.Printf("WRONG: %d failures counted, %d happened; first: %v\n", failures, want, err)
			os.Exit(1)
		}
	}
	fmt.Printf("ok: %d indexes\n", indexes)
}
