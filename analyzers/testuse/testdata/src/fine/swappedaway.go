package fine

import (
	"sync"
	"time"
)

// A RowLedger collects rows for the rowBatch that is open.
type RowLedger struct {
	mu       sync.RWMutex
	rowBatch *rowBatch
}

type rowBatch struct{ rows []int }

// Add looks for the rowBatch where it adds.
func (l *RowLedger) Add(row int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.rowBatch
	b.rows = append(b.rows, row)
}

// AddTo asks whether it is open still.
func (l *RowLedger) AddTo(b *rowBatch, row int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.rowBatch != b {
		return false
	}
	b.rows = append(b.rows, row)
	return true
}

func (l *RowLedger) Open() *rowBatch {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.rowBatch
}

func (l *RowLedger) Try(row int) bool {
	b := l.Open()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.rowBatch != b {
		return false
	}
	b.rows = append(b.rows, row)
	return true
}

func (l *RowLedger) Commit() []int {
	l.mu.Lock()
	defer l.mu.Unlock()
	rows := l.rowBatch.rows
	l.rowBatch = &rowBatch{}
	return rows
}

// A SlowLookup asks again when what it has is old, and does nothing else.
type SlowLookup struct {
	mu   sync.Mutex
	at   map[string]time.Time
	have map[string]string
}

func (l *SlowLookup) old(k string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Now().After(l.at[k])
}

func (l *SlowLookup) Get(k string, ask func(string) string) string {
	if l.old(k) {
		v := ask(k)
		l.mu.Lock()
		l.have[k] = v
		l.at[k] = time.Now().Add(time.Minute)
		l.mu.Unlock()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.have[k]
}
