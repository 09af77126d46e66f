package fine

import (
	"os/exec"
	"sync"
)

// Aviary is told when a program is over, and forgets it then.
type Aviary struct {
	running map[*exec.Cmd]bool
	over    chan *exec.Cmd
	results map[string]error
	mu      sync.Mutex
	names   map[string]int
}

func (a *Aviary) Release(c *exec.Cmd) error {
	if err := c.Start(); err != nil {
		return err
	}
	a.running[c] = true
	go func() {
		_ = c.Wait()
		a.over <- c
	}()
	return nil
}

// All waits for the goroutines that note what came out.
func (a *Aviary) All(c *exec.Cmd) error {
	done := make(chan struct{})
	go func() {
		defer close(done)
		a.results[c.Path] = c.Run()
	}()
	<-done
	return a.results[c.Path]
}

// Name counts under the lock.
func (a *Aviary) Name(name string) int {
	go func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.names[name]++
	}()
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.names[name]
}
