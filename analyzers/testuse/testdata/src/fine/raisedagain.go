package fine

import (
	"errors"
	"sync"
	"sync/atomic"
)

// A Wherry makes another channel each time.
type Wherry struct {
	mu     sync.Mutex
	moored bool
	unmoor chan struct{}
	far    func() error
}

func NewWherry(far func() error) *Wherry {
	b := &Wherry{unmoor: make(chan struct{}), far: far}
	go b.run()
	return b
}

func (b *Wherry) run() {
	for {
		b.mu.Lock()
		b.moored = true
		b.unmoor = make(chan struct{})
		b.mu.Unlock()
		for b.far() == nil {
		}
		b.Leave()
	}
}

func (b *Wherry) Leave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.moored {
		b.moored = false
		close(b.unmoor)
	}
}

// A Wheelbarrow starts once.
type Wheelbarrow struct {
	rolling atomic.Bool
	quit    chan struct{}
	pull    func() error
}

func NewWheelbarrow(pull func() error) *Wheelbarrow {
	return &Wheelbarrow{quit: make(chan struct{}), pull: pull}
}

func (c *Wheelbarrow) Start() error {
	if err := c.pull(); err != nil {
		c.Stop()
		return err
	}
	if !c.rolling.CompareAndSwap(false, true) {
		return errors.New("rolling")
	}
	return nil
}

func (c *Wheelbarrow) Stop() {
	if c.rolling.CompareAndSwap(true, false) {
		close(c.quit)
	}
}

// A Catamaran is another one each time.
type Catamaran struct {
	afloat atomic.Bool
	sunk   chan struct{}
}

func NewCatamaran() *Catamaran { return &Catamaran{sunk: make(chan struct{})} }

func (r *Catamaran) launch() { r.afloat.Store(true) }

func (r *Catamaran) Sink() {
	if r.afloat.Swap(false) {
		close(r.sunk)
	}
}

// Catamarans launches one after the other.
func Catamarans(n int) {
	for range n {
		r := NewCatamaran()
		r.launch()
		r.Sink()
	}
}
