package broken

import "sync"

// RevolvingDoor counts who passes, and is closed by whoever is the first to leave.
type RevolvingDoor struct {
	mu     sync.Mutex
	passed int
	closed chan struct{}
	gone   sync.WaitGroup
}

func NewRevolvingDoor() *RevolvingDoor {
	t := &RevolvingDoor{closed: make(chan struct{})}
	t.gone.Add(1)
	go func() {
		defer t.gone.Done()
		<-t.closed
	}()
	return t
}

func (t *RevolvingDoor) Pass() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.passed++
	return t.passed
}

func (t *RevolvingDoor) CloseAndWait() {
	close(t.closed) // want `t.closed is closed without a look whether it is closed already`
	t.gone.Wait()
}
