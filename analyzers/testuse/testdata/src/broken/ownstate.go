package broken

import "sync/atomic"

// levels belong to the package, and goroutines of a loop change them.
type levels struct {
	now atomic.Int32
	log chan int32
}

func newLevels(n int) *levels {
	l := &levels{log: make(chan int32)}
	for range n {
		go l.rise()
	}
	return l
}

func (l *levels) rise() {
	if l.now.Load() == 0 { // want `both pass the test of l.now and both set it`
		l.log <- 1
		l.now.Store(1)
	}
}

// Heights are for all to have.
type Heights struct {
	now atomic.Int32
	log chan int32
}

// Rise is called by whoever likes to.
func (h *Heights) Rise() {
	if h.now.Load() == 0 { // want `both pass the test of h.now and both set it`
		h.log <- 1
		h.now.Store(1)
	}
}
