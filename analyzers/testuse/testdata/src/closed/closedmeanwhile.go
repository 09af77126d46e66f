package closed

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"
)

// Thermometer tells what it measures.
type Thermometer struct {
	readings chan int
	failures chan error
	measure  func() (int, error)
}

func NewThermometer(ctx context.Context, measure func() (int, error)) *Thermometer {
	t := &Thermometer{readings: make(chan int, 8), failures: make(chan error, 1), measure: measure}
	go t.run(ctx)
	return t
}

func (t *Thermometer) run(ctx context.Context) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			degrees, err := t.measure()
			if err != nil {
				t.failures <- err // want `t.failures can be closed by \(\*Thermometer\).Close before or during this send`
				return
			}
			t.readings <- degrees
		}
	}
}

func (t *Thermometer) Close() error {
	close(t.readings)
	close(t.failures)
	return nil
}

var errSlow = errors.New("slow")

// Funnel gives up on what takes long.
type Funnel struct {
	drops chan int
	quit  chan struct{}
	idle  chan struct{}
}

func (f *Funnel) Pour(drop int) error {
	select {
	case f.drops <- drop: // want `f.drops can be closed by \(\*Funnel\).Stop before or during this send`
		return nil
	case <-time.After(time.Second):
		return errSlow
	}
}

func (f *Funnel) Stop() {
	close(f.quit)
	<-f.idle
	close(f.drops)
}

func OpenFunnel() *Funnel {
	f := &Funnel{make(chan int), make(chan struct{}), make(chan struct{})}
	go func() {
		defer close(f.idle)
		for {
			select {
			case <-f.drops:
			case <-f.quit:
				return
			}
		}
	}()
	return f
}

// Gatehouse greets each guest in a goroutine.
type Gatehouse struct {
	l      net.Listener
	guests chan net.Conn
	shut   chan struct{}
}

func NewGatehouse(l net.Listener) *Gatehouse {
	g := &Gatehouse{l: l, guests: make(chan net.Conn), shut: make(chan struct{})}
	go g.serve()
	return g
}

func (g *Gatehouse) serve() {
	defer func() {
		close(g.guests)
		close(g.shut)
	}()
	for {
		c, err := g.l.Accept()
		if err != nil {
			return
		}
		go g.greet(c)
	}
}

func (g *Gatehouse) greet(c net.Conn) {
	if _, err := c.Write([]byte("hello")); err != nil {
		return
	}
	select {
	case g.guests <- c: // want `g.guests can be closed by \(\*Gatehouse\).serve before or during this send`
	case <-g.shut:
		c.Close()
	}
}

// Belt is stopped while those with parcels hold the lock for something else.
type Belt struct {
	mu     sync.Mutex
	loaded int
	out    chan int
	once   sync.Once
}

func (b *Belt) Put(parcel int) {
	b.mu.Lock()
	b.loaded++
	b.mu.Unlock()
	b.out <- parcel // want `b.out can be closed by \(\*Belt\).Close before or during this send`
}

func (b *Belt) Loaded() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.loaded
}

func (b *Belt) Close() {
	b.once.Do(func() { close(b.out) })
}
