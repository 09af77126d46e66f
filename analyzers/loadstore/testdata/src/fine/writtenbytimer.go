package fine

import (
	"log"
	"sync"
	"time"
)

// Caller calls until somebody answers.
type Caller struct {
	call  func() error
	quiet time.Duration
}

// Own counts anew in each turn of its loop, before the timer is set.
func (c *Caller) Own(numbers []string) {
	for range numbers {
		tries := 0
		for c.call() != nil && tries < 3 {
			tries++
		}
		time.AfterFunc(c.quiet, func() {
			log.Printf("%d tries", tries)
			tries = 0
		})
	}
}

// Locked shares its count with the timer under a lock.
func (c *Caller) Locked() {
	var mu sync.Mutex
	tries := 0
	for c.call() != nil {
		mu.Lock()
		tries++
		mu.Unlock()
		time.AfterFunc(c.quiet, func() {
			mu.Lock()
			tries = 0
			mu.Unlock()
		})
	}
}

// Asked goes on only where the timer has not fired, or has told that it is through.
func (c *Caller) Asked() {
	tries := 0
	for {
		through := make(chan struct{})
		t := time.AfterFunc(c.quiet, func() {
			tries = 0
			close(through)
		})
		err := c.call()
		if !t.Stop() {
			<-through
		}
		if err == nil {
			return
		}
		tries++
	}
}

// Before is through with its count when the timer begins.
func (c *Caller) Before() *time.Timer {
	tries := 0
	for c.call() != nil {
		tries++
	}
	return time.AfterFunc(c.quiet, func() {
		log.Printf("%d tries", tries)
		tries = 0
	})
}
