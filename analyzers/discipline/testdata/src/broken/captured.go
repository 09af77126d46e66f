package broken

import (
	"log"
	"sync"
	"time"

	"github.com/gorilla/websocket"
	"golang.org/x/sync/errgroup"
)

// countWork prints now and then how much was done.
func countWork(work func()) {
	n := 0
	go func() {
		for {
			work()
			n++ // want `n is changed here by a goroutine while the function that has started it reads it: nothing waits in between, and neither holds a lock`
		}
	}()
	for range time.Tick(time.Second) {
		log.Print(n)
	}
}

// workFor stops when the time is over, if it ever sees that.
func workFor(d time.Duration, work func()) {
	over := false
	time.AfterFunc(d, func() { over = true }) // want `over is changed here by a goroutine while the function that has started it reads it`
	for !over {
		work()
	}
}

// addBoth adds what two functions find, at the same time.
func addBoth(a, b func() int) int {
	sum, done := 0, make(chan bool)
	go func() {
		sum += a() // want `sum is read here by a goroutine while another one that the function has started changes it`
		done <- true
	}()
	go func() {
		sum += b()
		done <- true
	}()
	<-done
	<-done
	return sum
}

// useThenReplace starts somebody who uses what is replaced at once.
func useThenReplace(names []string, use func(string)) {
	var current string
	for _, name := range names {
		current = name
		go func() {
			use(current) // want `current is read here by a goroutine while the function that has started it changes it`
		}()
	}
}

// collectTwice puts into one map from two sides.
func collectTwice(a, b []string) map[string]bool {
	seen, done := map[string]bool{}, make(chan bool)
	go func() {
		for _, s := range a {
			seen[s] = true // want `seen is changed here by a goroutine while the function that has started it changes it`
		}
		close(done)
	}()
	for _, s := range b {
		seen[s] = true
	}
	<-done
	return seen
}

// keepPinging gives up when no pong has come for a while: pongs come in the goroutine that reads.
func keepPinging(c *websocket.Conn, most time.Duration, lost func()) {
	last := time.Now()
	c.SetPongHandler(func(string) error {
		last = time.Now() // want `last is changed here by a goroutine while another one that the function has started reads it`
		return nil
	})
	go func() {
		for range time.Tick(most / 2) {
			if c.WriteMessage(9, nil) != nil || time.Since(last) > most {
				lost()
				return
			}
		}
	}()
}

// fetchBoth has two goroutines that put their errors into one variable.
func fetchBoth(a, b func() (string, error)) (x, y string, err error) {
	var group sync.WaitGroup
	group.Add(1)
	go func() {
		defer group.Done()
		x, err = a() // want `err is changed here by a goroutine while another one that the function has started changes it`
	}()
	group.Add(1)
	go func() {
		defer group.Done()
		y, err = b()
	}()
	group.Wait()
	return x, y, err
}

// countBoth has the same of a group that starts them.
func countBoth(a, b func() int) int {
	var group sync.WaitGroup
	sum := 0
	group.Go(func() { sum += a() }) // want `sum is read here by a goroutine while another one that the function has started changes it`
	group.Go(func() { sum += b() })
	group.Wait()
	return sum
}

// loadBoth lets a group start them, which has no limit.
func loadBoth(a, b func() (string, error)) (x, y string, err error) {
	var group errgroup.Group
	group.Go(func() error {
		x, err = a() // want `err is changed here by a goroutine while another one that the function has started changes it`
		return err
	})
	group.Go(func() error {
		y, err = b()
		return err
	})
	return x, y, group.Wait()
}
