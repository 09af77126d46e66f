package fine

import (
	"sync"
	"time"
)

// Round is what is known of the work that is under way, or was last done.
type Round struct {
	mu    sync.Mutex
	from  int
	to    int
	ended time.Time
}

// do tells what it begins with, and later that it is done.
func (r *Round) do(from, to int, work func()) {
	r.mu.Lock()
	r.from = from
	r.to = to
	r.mu.Unlock()
	work()
	r.mu.Lock()
	r.ended = time.Now()
	r.mu.Unlock()
}

// Up and Down call what has two critical sections, which makes no one of them.
func (r *Round) Up(work func())   { r.do(0, 10, work) }
func (r *Round) Down(work func()) { r.do(10, 0, work) }
func (r *Round) Back(work func()) { r.do(5, 0, work) }

func (r *Round) Get() (int, int, time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.from, r.to, r.ended
}
