package broken

import "sync/atomic"

type route struct{ closed atomic.Bool }

func (r *route) Close() { r.closed.Store(true) }

type Routes struct{ now atomic.Pointer[route] }

func (r *Routes) Replace(next *route) {
	old := r.now.Load() // want `two goroutines can both load the same one from r.now and end it, and what one of them stores is replaced without an end: Swap gives each its own`
	r.now.Store(next)
	if old != nil {
		old.Close()
	}
}
