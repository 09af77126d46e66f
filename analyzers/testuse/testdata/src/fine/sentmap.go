package fine

import (
	"encoding/json"
	"maps"
	"os"
	"sync"
)

// Ledger sends copies.
type Ledger struct {
	saves   chan map[string]int
	batches chan map[string]int
	asked   chan map[string]int
	answer  chan int
	tables  chan map[string]int
	mu      sync.Mutex
	sums    map[string]int
	batch   map[string]int
	table   map[string]int
}

func NewLedger() *Ledger {
	l := &Ledger{saves: make(chan map[string]int, 1), sums: map[string]int{}, batch: map[string]int{}}
	l.saves <- l.sums
	go l.write()
	go l.count()
	return l
}

func (l *Ledger) Set(name string, sum int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sums[name] = sum
	l.saves <- maps.Clone(l.sums)
}

func (l *Ledger) write() {
	for sums := range l.saves {
		if data, err := json.Marshal(sums); err == nil {
			os.WriteFile("ledger.json", data, 0o600)
		}
	}
}

// Add gives the batch away, and begins a new one.
func (l *Ledger) Add(name string, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.batch[name] += n
	if len(l.batch) > 9 {
		l.batches <- l.batch
		l.batch = map[string]int{}
	}
}

func (l *Ledger) count() {
	for {
		select {
		case b := <-l.batches:
			for name, n := range b {
				println(name, n)
			}
		case sums := <-l.asked:
			for _, n := range sums {
				l.answer <- n
			}
		case t := <-l.tables:
			println(t["total"])
		}
	}
}

// Total waits for the answer with the lock held.
func (l *Ledger) Total() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked <- l.sums
	return <-l.answer
}

// SetTable changes a copy, and never what was sent.
func (l *Ledger) SetTable(name string, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	table := maps.Clone(l.table)
	table[name] = n
	l.table = table
	l.tables <- l.table
}

// Locked walks with the lock that the entries have.
type Locked struct {
	mu    sync.Mutex
	items map[string]int
}

func (l *Locked) Set(name string, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.items[name] = n
	go l.publish(l.items)
}

func (l *Locked) publish(items map[string]int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for name, n := range items {
		println(name, n)
	}
}
