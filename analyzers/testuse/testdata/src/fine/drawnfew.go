package fine

import (
	"crypto/rand"
	"encoding/hex"
	mathrand "math/rand/v2"
	"sync"
)

type dialled struct{ answer chan []byte }

// NumberPool gives each call a number that nobody else has.
type NumberPool struct {
	mu    sync.Mutex
	calls map[uint64]dialled
	lines map[string]*dialled
	small map[uint16]*dialled
}

func (x *NumberPool) taken(no uint64) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	_, ok := x.calls[no]
	return ok
}

func (x *NumberPool) Call() []byte {
	no := mathrand.Uint64()
	for x.taken(no) {
		no = mathrand.Uint64()
	}
	c := dialled{make(chan []byte, 1)}
	x.mu.Lock()
	x.calls[no] = c
	x.mu.Unlock()
	return <-c.answer
}

func randName() string {
	var b [16]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

func (x *NumberPool) Line(c *dialled) string {
	for {
		name := randName()
		x.mu.Lock()
		_, used := x.lines[name]
		x.mu.Unlock()
		if used {
			continue
		}
		x.mu.Lock()
		x.lines[name] = c
		x.mu.Unlock()
		return name
	}
}

// Small looks and stores in one critical section.
func (x *NumberPool) Small(c *dialled) uint16 {
	x.mu.Lock()
	defer x.mu.Unlock()
	for {
		no := uint16(mathrand.Uint32())
		if _, used := x.small[no]; !used {
			x.small[no] = c
			return no
		}
	}
}

func (x *NumberPool) Answer(no uint64, line string, b []byte) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if c, ok := x.calls[no]; ok {
		c.answer <- b
	}
	delete(x.calls, no)
	delete(x.lines, line)
}
