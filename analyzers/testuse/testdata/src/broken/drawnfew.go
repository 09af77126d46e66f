package broken

import (
	"math/rand/v2"
	"sync"
)

type dialled struct{ answer chan []byte }

// NumberPool gives each call a number that is free.
type NumberPool struct {
	mu    sync.Mutex
	calls map[uint16]dialled
	lines map[int]*dialled
}

func (x *NumberPool) taken(no uint16) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	_, ok := x.calls[no]
	return ok
}

func (x *NumberPool) Call() []byte {
	var no uint16
	for {
		no = uint16(rand.Uint32())
		if no != 0 && !x.taken(no) { // want `both pass the test of x.calls \(in x.taken\) and both set it`
			break
		}
	}
	c := dialled{make(chan []byte, 1)}
	x.mu.Lock()
	x.calls[no] = c
	x.mu.Unlock()
	return <-c.answer
}

func (x *NumberPool) Line(c *dialled) int {
	for {
		no := 1024 + rand.IntN(4096)
		x.mu.Lock()
		_, used := x.lines[no] // want `both pass the test of x.lines\[no\] and both set it`
		x.mu.Unlock()
		if used {
			continue
		}
		x.mu.Lock()
		x.lines[no] = c
		x.mu.Unlock()
		return no
	}
}

func (x *NumberPool) Answer(no uint16, line int, b []byte) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if c, ok := x.calls[no]; ok {
		c.answer <- b
	}
	delete(x.calls, no)
	delete(x.lines, line)
}
