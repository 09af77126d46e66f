package fine

import "sync"

type Ledger struct {
	mu    sync.RWMutex
	lines []string
}

func (l *Ledger) Append(s string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, s)
}

func (l *Ledger) Iterator() *LedgerIterator { return &LedgerIterator{ledgerMu: &l.mu, ledger: l} }

// A LedgerIterator has the lock of the ledger, which guards the lines and not the index.
type LedgerIterator struct {
	ledgerMu *sync.RWMutex
	ledger   *Ledger
	index    int
}

func (it *LedgerIterator) Next() bool {
	it.ledgerMu.RLock()
	defer it.ledgerMu.RUnlock()
	if it.index+1 >= len(it.ledger.lines) {
		return false
	}
	it.index++
	return true
}

func (it *LedgerIterator) Prev() bool {
	it.ledgerMu.RLock()
	defer it.ledgerMu.RUnlock()
	if it.index-1 < 0 {
		return false
	}
	it.index--
	return true
}

func (it *LedgerIterator) Line() string {
	it.ledgerMu.RLock()
	defer it.ledgerMu.RUnlock()
	return it.ledger.lines[it.index]
}
