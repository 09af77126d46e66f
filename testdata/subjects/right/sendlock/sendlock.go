// Package sendlock has a lock for those who send beside that of the list.
package sendlock

import "sync"

type sub struct{ out chan int }

// Topic has subscribers.
type Topic struct {
	sending sync.RWMutex // held for reading from the copy of the list to the last send
	mu      sync.Mutex
	subs    map[*sub]bool
}

// New makes one.
func New() *Topic { return &Topic{subs: map[*sub]bool{}} }

// Publish sends to all. Right: sending is held from before the copy until all is sent, and
// whoever has taken one off the list holds it for writing when it closes.
func (t *Topic) Publish(v int) {
	t.sending.RLock()
	defer t.sending.RUnlock()
	t.mu.Lock()
	list := make([]*sub, 0, len(t.subs))
	for s := range t.subs {
		list = append(list, s)
	}
	t.mu.Unlock()
	for _, s := range list {
		select {
		case s.out <- v:
		default:
		}
	}
}

// Subscribe puts one on, and returns what takes it off.
func (t *Topic) Subscribe() (<-chan int, func()) {
	s := &sub{out: make(chan int, 4)}
	t.mu.Lock()
	t.subs[s] = true
	t.mu.Unlock()
	return s.out, func() { t.remove(s) }
}

func (t *Topic) remove(s *sub) {
	t.mu.Lock()
	_, ok := t.subs[s]
	delete(t.subs, s)
	t.mu.Unlock()
	if !ok {
		return
	}
	t.sending.Lock()
	close(s.out)
	t.sending.Unlock()
}
