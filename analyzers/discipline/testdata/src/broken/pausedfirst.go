package broken

import "sync"

type fifo struct {
	mu      sync.Mutex
	paused  bool
	pending []int
	running map[int]bool
}

// Fifo keeps tasks.
type Fifo interface {
	Push(n int)
	Pause(on bool)
	Paused() bool
}

// NewFifo returns one.
func NewFifo() Fifo { return &fifo{running: map[int]bool{}} }

func (q *fifo) Push(n int) {
	q.mu.Lock()
	q.pending = append(q.pending, n)
	q.mu.Unlock()
	go q.process()
}

func (q *fifo) Pause(on bool) {
	q.mu.Lock()
	q.paused = on
	q.mu.Unlock()
}

func (q *fifo) Paused() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.paused
}

// Goroutines run it, and it takes the lock when it has looked.
func (q *fifo) process() {
	if q.paused { // want `q.paused is tested here without q.mu, which all functions hold that write it, as \(\*fifo\).Pause does`
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, n := range q.pending {
		q.running[n] = true
	}
	q.pending = nil
}
