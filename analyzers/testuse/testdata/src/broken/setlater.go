package broken

import (
	"sync"
	"sync/atomic"
	"time"
)

// Mover moves one thing at a time.
type Mover struct {
	moving  int32
	clean   atomic.Bool
	claimed atomic.Bool
	waited  atomic.Bool
	orders  chan int
	begun   chan struct{}
	quit    chan struct{}
}

func (m *Mover) setMoving(on bool) {
	if on {
		atomic.StoreInt32(&m.moving, 1)
	} else {
		atomic.StoreInt32(&m.moving, 0)
	}
}

func (m *Mover) isMoving() bool { return atomic.LoadInt32(&m.moving) == 1 }

func (m *Mover) serve() {
	for {
		select {
		case n := <-m.orders:
			if m.isMoving() { // want `m.moving \(in m.isMoving\) is set by the goroutine that is started here when it was found unset`
				continue
			}
			go m.move(n)
		case <-m.quit:
			return
		}
	}
}

func (m *Mover) move(n int) {
	m.setMoving(true)
	defer m.setMoving(false)
	time.Sleep(time.Duration(n))
}

// sweepEach starts a literal that sets the flag.
func (m *Mover) sweepEach() {
	for range m.orders {
		if !m.clean.Load() { // want `m.clean is set by the goroutine that is started here when it was found unset`
			go func() {
				m.clean.Store(true)
				time.Sleep(1)
				m.clean.Store(false)
			}()
		}
	}
}

// claimEach sets the flag before the goroutine starts.
func (m *Mover) claimEach() {
	for range m.orders {
		if !m.claimed.Load() {
			m.claimed.Store(true)
			go m.claim()
		}
	}
}

func (m *Mover) claim() {
	m.claimed.Store(true)
	time.Sleep(1)
	m.claimed.Store(false)
}

// tryEach starts goroutines of which one alone goes on.
func (m *Mover) tryEach() {
	for range m.orders {
		if !m.claimed.Load() {
			go func() {
				if m.claimed.CompareAndSwap(false, true) {
					time.Sleep(1)
					m.claimed.Store(false)
				}
			}()
		}
	}
}

// awaitEach waits until the goroutine has set the flag.
func (m *Mover) awaitEach() {
	for range m.orders {
		if !m.waited.Load() {
			go m.wait()
			<-m.begun
		}
	}
}

func (m *Mover) wait() {
	m.waited.Store(true)
	m.begun <- struct{}{}
	time.Sleep(1)
	m.waited.Store(false)
}

// once starts one goroutine and is not called again.
func once() *Mover {
	m := &Mover{orders: make(chan int)}
	if !m.isMoving() {
		go m.move(1)
	}
	go m.serve()
	return m
}

// Cable is cut by whoever finds it broken, which is done once.
type Cable struct {
	cut   atomic.Bool
	first sync.Once
	pulls chan int
	ends  chan int
}

func NewCable() *Cable {
	c := &Cable{pulls: make(chan int), ends: make(chan int)}
	go c.serve()
	return c
}

func (c *Cable) serve() {
	for range c.pulls {
		if !c.cut.Load() {
			go c.end()
		}
	}
}

func (c *Cable) end() {
	c.cut.Store(true)
	c.first.Do(func() { close(c.ends) })
}
