package broken

import (
	"context"
	"errors"
	"sync"
)

// Postbox has a place for the answer to each letter that is on its way.
type Postbox struct {
	mu      sync.Mutex
	replies map[int]chan string
	next    int
}

func NewPostbox() *Postbox { return &Postbox{replies: map[int]chan string{}} }

// Ask waits for the answer, and forgets the place without the lock.
func (p *Postbox) Ask(ctx context.Context, send func(int)) (string, error) {
	ch := make(chan string, 1)
	p.mu.Lock()
	p.next++
	id := p.next
	p.replies[id] = ch
	p.mu.Unlock()
	send(id)
	select {
	case s := <-ch:
		delete(p.replies, id) // want `p.replies is changed here without p.mu, which the function itself has held to change it before and has released: two goroutines that change a map at once end the program`
		return s, nil
	case <-ctx.Done():
		return "", errors.New("given up")
	}
}

// Conveyor is stopped by whoever asks, and tells whether it runs.
type Conveyor struct {
	mu      sync.Mutex
	running bool
	workers sync.WaitGroup
}

func (c *Conveyor) Run(items <-chan int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	go c.startToCarry(items)
	c.running = true
}

func (c *Conveyor) startToCarry(items <-chan int) {
	for range items {
		c.workers.Add(1)
		go c.workers.Done()
	}
	c.workers.Wait()
	c.mu.Lock()
	c.running = false
	c.mu.Unlock()
}

func (c *Conveyor) Stop() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.running {
		return errors.New("it does not run")
	}
	return nil
}

// Busy does not ask for it as the others do.
func (c *Conveyor) Busy() bool { return c.running } // want `c.running is accessed here without the lock that all other functions hold for it: c.mu in \(\*Conveyor\)\.\w+`
