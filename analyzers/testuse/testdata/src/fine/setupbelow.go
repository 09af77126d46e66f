package fine

import "sync"

// A Cashbook is not used before OpenCashbook returns.
type Cashbook struct {
	mu    sync.RWMutex
	owner string
	pages map[string]int
}

func (l *Cashbook) unowned() bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.owner == ""
}

func (l *Cashbook) own(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.owner = name
}

// Page is what others call, later.
func (l *Cashbook) Page(key string) int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.pages[key] + len(l.owner)
}

var cashbooksOpened struct {
	mu sync.Mutex
	n  int
}

func countCashbook() {
	cashbooksOpened.mu.Lock()
	cashbooksOpened.n++
	cashbooksOpened.mu.Unlock()
}

// It calls what takes a lock of the package, but is given the cashbook that is made.
func assign(l *Cashbook, name string) {
	countCashbook()
	if l.unowned() {
		l.own(name)
	}
}

// OpenCashbook makes one.
func OpenCashbook(name string) *Cashbook {
	l := &Cashbook{pages: map[string]int{}}
	assign(l, name)
	return l
}
