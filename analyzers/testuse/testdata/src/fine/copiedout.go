package fine

import "sync"

// A Beacon sends with the lock held that whoever closes takes, or survives.
type Beacon struct {
	mu        sync.RWMutex
	listeners map[int]chan string
	group     sync.WaitGroup
	deaf      map[int]chan string
}

func (b *Beacon) Tell(news string) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	var list []chan string
	for _, in := range b.listeners {
		list = append(list, in)
	}
	for _, in := range list {
		in <- news
	}
}

func (b *Beacon) Try(news string) {
	defer func() { recover() }()
	b.mu.RLock()
	var list []chan string
	for _, in := range b.listeners {
		list = append(list, in)
	}
	b.mu.RUnlock()
	for _, in := range list {
		in <- news
	}
}

func (b *Beacon) Leave(id int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if in := b.listeners[id]; in != nil {
		delete(b.listeners, id)
		close(in)
	}
}

// Shout is told to those who never leave.
func (b *Beacon) Shout(news string) {
	b.mu.RLock()
	var list []chan string
	for _, in := range b.deaf {
		list = append(list, in)
	}
	b.mu.RUnlock()
	for _, in := range list {
		in <- news
	}
}
