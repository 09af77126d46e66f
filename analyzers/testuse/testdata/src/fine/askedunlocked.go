package fine

import "sync"

// A cashBook keeps its own lock.
type cashBook struct {
	mu    sync.Mutex
	lines map[string]int
}

func (l *cashBook) Get(k string) (int, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n, ok := l.lines[k]
	return n, ok
}

func (l *cashBook) Set(k string, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines[k] = n
}

// Fair takes bids and complaints about them.
type Fair struct {
	mu         sync.RWMutex
	bids       *cashBook
	complaints *cashBook
	limit      int
}

func (a *Fair) higher(lot string, bid int) bool {
	best, ok := a.bids.Get(lot)
	return !ok || bid > best
}

// within asks for nothing that changes.
func (a *Fair) within(bid int) bool { return bid < a.limit }

func (a *Fair) Bid(lot string, bid int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.within(bid) {
		return false
	}
	if !a.higher(lot, bid) {
		return false
	}
	a.bids.Set(lot, bid)
	return true
}

// Complain asks twice.
func (a *Fair) Complain(lot string, bid int) bool {
	if !a.higher(lot, bid) {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.higher(lot, bid) {
		return false
	}
	a.complaints.Set(lot, bid)
	return true
}

// Inline looks for itself.
func (a *Fair) Inline(lot string, bid int) bool {
	if !a.higher(lot, bid) {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if best, ok := a.bids.Get(lot); ok && best >= bid {
		return false
	}
	a.complaints.Set(lot, bid)
	return true
}

func (a *Fair) Small(lot string, bid int) bool {
	if !a.within(bid) {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.complaints.Set(lot, bid)
	return true
}
