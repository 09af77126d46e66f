package fine

import "sync"

// A Height and its checkpoint are set together; who waits for the one has the other of the same time.
type Height struct {
	cond  *sync.Cond
	size  uint64
	point []byte
	err   error
}

func NewHeight() *Height { return &Height{cond: sync.NewCond(&sync.Mutex{})} }

func (h *Height) Await(i uint64) ([]byte, error) {
	h.cond.L.Lock()
	defer h.cond.L.Unlock()
	for h.size <= i && h.err == nil {
		h.cond.Wait()
	}
	return h.point, h.err
}

func (h *Height) Grow(size uint64, point []byte) {
	h.cond.L.Lock()
	defer h.cond.L.Unlock()
	h.size, h.point = size, point
	h.cond.Broadcast()
}

func (h *Height) Shrink() {
	h.cond.L.Lock()
	defer h.cond.L.Unlock()
	h.size, h.point = 0, nil
	h.cond.Broadcast()
}

func (h *Height) Fail(err error) {
	h.cond.L.Lock()
	defer h.cond.L.Unlock()
	h.err = err
	h.cond.Broadcast()
}
