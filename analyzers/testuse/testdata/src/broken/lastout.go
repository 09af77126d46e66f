package broken

import "sync"

// feed is what a Hub listens to while it has subscribers.
type feed struct{ on func(bool) }

func (f *feed) listen() { f.on(true) }
func (f *feed) leave()  { f.on(false) }

// Hub listens as long as somebody wants to hear.
type Hub struct {
	mu   sync.Mutex
	subs map[string]chan int
	feed *feed
}

func (h *Hub) Subscribe(name string, ch chan int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.subs[name] = ch
	if len(h.subs) == 1 {
		h.feed.listen()
	}
}

func (h *Hub) Unsubscribe(name string) {
	h.mu.Lock()
	delete(h.subs, name)
	left := len(h.subs) // want `\(\*Hub\).Subscribe can add to h.subs once h.mu is released here and before h.feed.leave is called because it was empty`
	h.mu.Unlock()
	if left == 0 {
		h.feed.leave()
	}
}

// Leave keeps the lock.
func (h *Hub) Leave(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.subs, name)
	if len(h.subs) == 0 {
		h.feed.leave()
	}
}

// Count only tells.
func (h *Hub) Count(name string, log func(string, ...any)) bool {
	h.mu.Lock()
	delete(h.subs, name)
	left := len(h.subs)
	h.mu.Unlock()
	return left == 0
}
