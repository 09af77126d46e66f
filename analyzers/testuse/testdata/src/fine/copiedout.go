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

// An Almanac gives out a copy, and the page it was copied at.
type Almanac struct {
	mu   sync.Mutex
	days map[string]int
}

func (a *Almanac) snapshot() (map[string]int, int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	days := make(map[string]int, len(a.days))
	for day, n := range a.days {
		days[day] = n
	}
	page := a.days["page"]
	return days, page
}

func (a *Almanac) Sum() int {
	days, sum := a.snapshot()
	for _, n := range days {
		sum += n
	}
	return sum
}

func (a *Almanac) Set(day string, n int) {
	a.mu.Lock()
	a.days[day] = n
	a.mu.Unlock()
}
