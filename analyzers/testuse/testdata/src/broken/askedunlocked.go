package broken

import "sync"

// A ledgerBook keeps its own lock.
type ledgerBook struct {
	mu    sync.Mutex
	lines map[string]int
}

func (l *ledgerBook) Get(k string) (int, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n, ok := l.lines[k]
	return n, ok
}

func (l *ledgerBook) Set(k string, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines[k] = n
}

// Bazaar takes bids and complaints about them.
type Bazaar struct {
	sync.RWMutex
	bids       *ledgerBook
	complaints *ledgerBook
}

// Higher says whether the bid is one to be taken.
func (a *Bazaar) Higher(lot string, bid int) bool {
	if bid <= 0 {
		return false
	}
	best, ok := a.bids.Get(lot)
	return !ok || bid > best
}

func (a *Bazaar) Bid(lot string, bid int) bool {
	a.Lock()
	defer a.Unlock()
	if !a.Higher(lot, bid) {
		return false
	}
	a.bids.Set(lot, bid)
	return true
}

func (a *Bazaar) Complain(lot string, bid int) bool {
	if !a.Higher(lot, bid) { // want `Higher is asked before a.RWMutex is taken, and not again: another goroutine can change bids in between, as \(\*Bazaar\).Bid asks and changes it under the lock`
		return false
	}
	a.Lock()
	defer a.Unlock()
	n, _ := a.complaints.Get(lot)
	a.complaints.Set(lot, n+1)
	return true
}
