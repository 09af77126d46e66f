package broken

import "sync"

// Menu is filled by a goroutine, but Reprint does not wait for that.
type Menu struct {
	mu     sync.Mutex
	asked  bool
	dishes map[string]int
	filled chan struct{}
}

func (m *Menu) Fill(read func() map[string]int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.asked {
		return
	}
	m.asked = true
	go func() {
		defer close(m.filled)
		m.dishes = read() // want `m.dishes is written here without m.mu: what \(\*Menu\).Fill begins`
	}()
}

func (m *Menu) Price(dish string) int {
	<-m.filled
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.dishes[dish]
}

func (m *Menu) Reprint(dishes map[string]int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.dishes = dishes
}

// Ledger has a goroutine that goes on writing after it has closed opened.
type Ledger struct {
	mu     sync.Mutex
	asked  bool
	pages  map[string]int
	opened chan struct{}
}

func (l *Ledger) Open(read func() map[string]int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.asked {
		return
	}
	l.asked = true
	go func() {
		close(l.opened)
		l.pages = read() // want `l.pages is written here without l.mu: what \(\*Ledger\).Open begins`
	}()
}

func (l *Ledger) Page(k string) int {
	<-l.opened
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.pages[k]
}

func (l *Ledger) Replace(pages map[string]int) {
	<-l.opened
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pages = pages
}
