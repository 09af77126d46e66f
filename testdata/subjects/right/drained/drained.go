// Package drained removes a subscriber by a request to the publisher.
package drained

import "sync"

type sub struct {
	out  chan int
	busy sync.WaitGroup
}

// Topic has subscribers.
type Topic struct {
	mu   sync.Mutex
	subs []*sub
}

// Publish sends to all. Right: each one on the copy was counted in under the lock, and remove
// waits for those counts when nobody can raise them any more.
func (t *Topic) Publish(v int) {
	t.mu.Lock()
	list := append([]*sub(nil), t.subs...)
	for _, s := range list {
		s.busy.Add(1)
	}
	t.mu.Unlock()
	for _, s := range list {
		select {
		case s.out <- v:
		default:
		}
		s.busy.Done()
	}
}

// Subscribe puts one on.
func (t *Topic) Subscribe() (<-chan int, func()) {
	s := &sub{out: make(chan int, 4)}
	t.mu.Lock()
	t.subs = append(t.subs, s)
	t.mu.Unlock()
	return s.out, sync.OnceFunc(func() { t.remove(s) })
}

func (t *Topic) remove(s *sub) {
	t.mu.Lock()
	for i, x := range t.subs {
		if x == s {
			t.subs = append(t.subs[:i:i], t.subs[i+1:]...)
			break
		}
	}
	t.mu.Unlock()
	s.busy.Wait()
	close(s.out)
}
