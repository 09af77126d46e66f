package broken

import (
	"sync"
	"sync/atomic"
)

const (
	ovenOff int32 = iota
	ovenIdle
	ovenBaking
)

// Griddle is run by whatever goroutine finds it idle, and switched off by whoever comes.
type Griddle struct {
	trays chan string
	state int32
	bake  func(string)
}

func (o *Griddle) Put(tray string) {
	o.trays <- tray
	if atomic.CompareAndSwapInt32(&o.state, ovenIdle, ovenBaking) {
		go o.work()
	}
}

func (o *Griddle) work() {
	for len(o.trays) > 0 {
		o.bake(<-o.trays)
	}
	if atomic.LoadInt32(&o.state) != ovenOff { // want `\(\*Griddle\).SwitchOff can set o.state between this test and the store, which takes that back`
		atomic.StoreInt32(&o.state, ovenIdle)
	}
}

func (o *Griddle) SwitchOff() { atomic.StoreInt32(&o.state, ovenOff) }

type lidState int32

const (
	lidOpen lidState = iota
	lidToClose
	lidClosing
	lidClosed
)

// Lid is closed by its own goroutine, or at once.
type Lid struct {
	mu     sync.Mutex
	state  atomic.Int32
	force  int
	motor  interface{ Turn() }
	orders chan int
}

func NewLid(m interface{ Turn() }) *Lid {
	l := &Lid{motor: m, orders: make(chan int)}
	go func() {
		for range l.orders {
			l.slowly()
			l.check()
		}
	}()
	return l
}

func (l *Lid) slowly() {
	if lidState(l.state.Load()) != lidToClose { // want `\(\*Lid\).Slam can set l.state between this test and the store, which takes that back`
		return
	}
	l.motor.Turn()
	l.state.Store(int32(lidClosing))
}

func (l *Lid) check() {
	switch lidState(l.state.Load()) { // want `\(\*Lid\).Slam can set l.state between this test and the store, which takes that back`
	case lidClosing, lidClosed:
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.force > 7 {
		l.motor.Turn()
		l.state.Store(int32(lidClosing))
	}
}

func (l *Lid) Ask() {
	l.state.Store(int32(lidToClose))
	l.orders <- 1
}

func (l *Lid) Slam() { l.state.Store(int32(lidClosed)) }
