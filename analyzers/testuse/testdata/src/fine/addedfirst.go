package fine

import (
	"errors"
	"sync"
	"sync/atomic"
)

// Headcount lets so many in at a time.
type Headcount struct {
	mu    sync.Mutex
	in    atomic.Int64
	limit int64
}

// Enter counts first and looks then: nobody gets in who was not counted.
func (g *Headcount) Enter(work func()) error {
	g.in.Add(1)
	if g.in.Load() > g.limit {
		g.in.Add(-1)
		return errors.New("too many")
	}
	go func() {
		defer g.in.Add(-1)
		work()
	}()
	return nil
}
