package closed

import (
	"sync"
	"sync/atomic"
)

// A Topic waits for its end under a lock that who ends it does not take.
type Topic struct {
	out   chan string
	state int32
	mu    sync.Mutex
	once  sync.Once
}

func (t *Topic) Leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if atomic.LoadInt32(&t.state) == 0 { // want `t.out can be closed between the test of t.state and the send on it, which then panics`
		t.out <- "left"
	}
}

func (t *Topic) end() {
	t.once.Do(func() {
		atomic.StoreInt32(&t.state, 1)
		close(t.out)
	})
}

func (t *Topic) Fail() { t.end() }

// A Room is left and closed under one lock.
type Room struct {
	out   chan string
	state int32
	mu    sync.Mutex
}

func (r *Room) Leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if atomic.LoadInt32(&r.state) == 0 {
		r.out <- "left"
	}
}

// Close is called once.
func (r *Room) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.end()
}

func (r *Room) end() {
	atomic.StoreInt32(&r.state, 1)
	close(r.out)
}
