package fine

import "sync/atomic"

type route struct{ closed atomic.Bool }

func (r *route) Close() { r.closed.Store(true) }

type Routes struct{ now atomic.Pointer[route] }

func (r *Routes) Replace(next *route) {
	if old := r.now.Swap(next); old != nil {
		old.Close()
	}
}

// Close ends the last one and leaves it there.
func (r *Routes) Close() {
	if old := r.now.Load(); old != nil {
		old.Close()
	}
}

// Shutdown leaves one that need not be ended.
func (r *Routes) Shutdown() {
	old := r.now.Load()
	r.now.Store(&route{})
	old.Close()
}
