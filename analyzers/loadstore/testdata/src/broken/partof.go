package broken

import (
	"fmt"
	"sync"
)

// A getter returns parts of an entry that is a struct, and the entry is set to what is made
// of them.

type Ledger struct {
	mu   *sync.Mutex
	rows map[string]ledgerRow
	last ledgerRow
}

type ledgerRow struct {
	text  []byte
	no    uint64
	total int
}

func NewLedger(mu *sync.Mutex) *Ledger { return &Ledger{mu: mu, rows: map[string]ledgerRow{}} }

func (l *Ledger) Get(key string) ([]byte, uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.rows[key]
	return r.text, r.no
}

func (l *Ledger) put(key string, text []byte) uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	no := l.rows[key].no + 1
	l.rows[key] = ledgerRow{text: text, no: no}
	return no
}

func (l *Ledger) Revise(key string, f func([]byte) ([]byte, error)) (uint64, error) {
	for range 5 {
		cur, no := l.Get(key) // want `two goroutines can both read l.rows \(in l.Get\) before either stores it, and one update is lost: l.mu is released in between`
		next, err := f(cur)
		if err != nil {
			return no, err
		}
		if next == nil {
			continue
		}
		return l.put(key, next), nil
	}
	return 0, fmt.Errorf("too many tries")
}

func (l *Ledger) Total(key string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.rows[key].total
}

func (l *Ledger) SetTotal(key string, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rows[key] = ledgerRow{total: n}
}

func (l *Ledger) Book(key string, n int) {
	l.SetTotal(key, l.Total(key)+n) // want `two goroutines can both read l.rows \(in l.Total\) before either stores it, and one update is lost: l.mu is released in between`
}
