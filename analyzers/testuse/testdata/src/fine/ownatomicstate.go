package fine

import (
	"errors"
	"sync"
	"sync/atomic"
)

// A state whose type has atomic methods of its own, and which nothing in the package changes: it is looked at before
// the calls are counted, and there is nobody who could set it in between.

type oasState int32

func (s *oasState) Load() oasState { return oasState(atomic.LoadInt32((*int32)(s))) }

type OasNode struct {
	mu    sync.RWMutex
	state oasState
	calls int64
	data  *int
}

func (t *OasNode) SetData(d *int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = d
}

func (t *OasNode) Use() (*int, error) {
	if t.state.Load() == 2 {
		return nil, errors.New("closed")
	}
	atomic.AddInt64(&t.calls, 1)
	defer atomic.AddInt64(&t.calls, -1)
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.data, nil
}
