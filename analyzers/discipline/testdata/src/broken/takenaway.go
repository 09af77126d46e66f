package broken

import (
	"errors"
	"sync"
	"sync/atomic"
)

var errTrunkOver = errors.New("over")

// Trunkline calls what Close takes away.
type Trunkline struct {
	mu   sync.Mutex
	idle chan int
	dial func() int
	line *trunkEnd
}

type trunkEnd struct{ sent int }

func (l *trunkEnd) write(p []byte) { println(len(p)) }

func NewTrunkline(dial func() int) *Trunkline {
	return &Trunkline{idle: make(chan int, 4), dial: dial, line: &trunkEnd{}}
}

func (u *Trunkline) free() chan int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.idle
}

func (u *Trunkline) Get() (int, error) {
	free := u.free()
	if free == nil {
		return 0, errTrunkOver
	}
	select {
	case c := <-free:
		return c, nil
	default:
		return u.dial(), nil // want `u.dial is read here without u.mu, which all functions hold that write it, as \(\*Trunkline\).Close does`
	}
}

func (u *Trunkline) Write(p []byte) {
	u.line.write(p) // want `u.line is read here without u.mu, which all functions hold that write it, as \(\*Trunkline\).Close does`
}

func (u *Trunkline) Close() {
	u.mu.Lock()
	u.idle, u.dial, u.line = nil, nil, nil
	u.mu.Unlock()
}

// Rebreaker asks again plainly what it has counted, while others count.
type Rebreaker struct {
	failed int64
	limit  int64
	onOpen func()
}

func (t *Rebreaker) Fail() {
	atomic.AddInt64(&t.failed, 1)
	if t.failed == t.limit { // want `t.failed is accessed without sync/atomic here and with it elsewhere`
		t.onOpen()
	}
}

func (t *Rebreaker) Succeed() { atomic.StoreInt64(&t.failed, 0) }
