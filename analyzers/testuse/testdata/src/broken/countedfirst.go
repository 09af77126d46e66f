package broken

import (
	"sync"
	"sync/atomic"
)

// Tally gathers one answer from each of several goroutines.
type Tally struct {
	mu      sync.Mutex
	want    int32
	got     int32
	left    atomic.Int64
	seen    int
	answers chan string
	ends    chan struct{}
	spare   chan string
	calm    chan string
	late    chan string
}

// Answer counts before it sends.
func (t *Tally) Answer(a string) {
	n := atomic.AddInt32(&t.got, 1) // want `t.answers can be closed between the count of t.got and the send on it, which then panics: who counts last closes it, and does not wait for those who have counted before`
	if n <= t.want {
		t.answers <- a
	}
	if n == t.want {
		close(t.ends)
		close(t.answers)
	}
}

// Spare counts down.
func (t *Tally) Spare(a string) {
	left := t.left.Add(-1) // want `t.spare can be closed between the count of t.left and the send on it`
	if left >= 0 {
		t.spare <- a
	}
	if left != 0 {
		return
	}
	close(t.spare)
}

// Late has a lock around the count alone.
func (t *Tally) Late(a string) {
	t.mu.Lock()
	t.seen++
	n := t.seen // want `t.late can be closed between the count of t.seen and the send on it`
	t.mu.Unlock()
	t.late <- a
	if n == int(t.want) {
		close(t.late)
	}
}

// Calm sends, and then counts.
func (t *Tally) Calm(a string) {
	t.calm <- a
	if atomic.AddInt32(&t.got, 1) == t.want {
		close(t.calm)
	}
}

// Held holds the lock over all.
func (t *Tally) Held(a string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seen++
	n := t.seen
	t.late <- a
	if n == int(t.want) {
		close(t.late)
	}
}

// Alone is one goroutine.
func (t *Tally) Alone(all []string) {
	for _, a := range all {
		n := atomic.AddInt32(&t.got, 1)
		t.calm <- a
		if n == t.want {
			close(t.calm)
			return
		}
	}
}

// Last alone sends.
func (t *Tally) Last(a string) {
	if n := atomic.AddInt32(&t.got, 1); n == t.want {
		t.calm <- a
		close(t.calm)
	}
}
