package broken

import (
	"encoding/json"
	"os"
	"sync"
)

// Ledger has a goroutine that writes its entries to a file.
type Ledger struct {
	saves chan map[string]int
	mu    sync.RWMutex
	sums  map[string]int
}

func NewLedger() *Ledger {
	l := &Ledger{saves: make(chan map[string]int), sums: map[string]int{}}
	go l.write()
	return l
}

func (l *Ledger) Set(name string, sum int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sums[name] = sum
	l.saves <- l.sums // want `l.sums is handed over itself, not a copy; another goroutine walks through it without l.mu, while \(\*Ledger\).Set changes its entries`
}

func (l *Ledger) write() {
	for sums := range l.saves {
		if data, err := json.Marshal(sums); err == nil {
			os.WriteFile("ledger.json", data, 0o600)
		}
	}
}

// Mirror begins a goroutine for each change.
type Mirror struct {
	mu    sync.Mutex
	items map[string]int
}

func (m *Mirror) Set(name string, n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.items[name] = n
	go m.publish(m.items) // want `m.items is handed over itself, not a copy`
}

func (m *Mirror) Remove(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.items, name)
	items := m.items // want `m.items is handed over itself, not a copy`
	go func(list map[string]int) {
		for name, n := range list {
			println(name, n)
		}
	}(items)
}

func (m *Mirror) publish(items map[string]int) {
	for name, n := range items {
		println(name, n)
	}
}
