package fine

import "sync"

// A Tallybook is made for one goroutine alone, or with a lock.
type Tallybook struct {
	locks bool
	mu    sync.Mutex
	total int
	page  []int
}

func NewTallybook(locks bool) *Tallybook { return &Tallybook{locks: locks} }

func (t *Tallybook) Enter(n int) {
	if t.locks {
		t.mu.Lock()
		t.enter(n)
		t.mu.Unlock()
	} else {
		t.enter(n)
	}
}

func (t *Tallybook) enter(n int) {
	t.page = append(t.page, n)
	t.total++
}

func (t *Tallybook) Total() int {
	if t.locks {
		t.mu.Lock()
		defer t.mu.Unlock()
	}
	return t.total
}
