package broken

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
)

// A Follower follows one at a time.
type Follower struct {
	mu     sync.Mutex
	cancel context.CancelFunc
}

func (f *Follower) Follow(ctx context.Context, run func(context.Context)) {
	f.mu.Lock()
	if f.cancel != nil {
		f.cancel() // want `two goroutines can both end what is in f.cancel and store their own, of which one is lost and never ended: f.mu is released in between`
	}
	f.mu.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	f.mu.Lock()
	f.cancel = cancel
	f.mu.Unlock()
	go run(ctx)
}

// Handles are counted under their own lock.
type Handles struct {
	mu   sync.Mutex
	open map[string]*handle
}

type handle struct {
	mu     sync.Mutex
	users  int
	closed bool
}

func (h *Handles) Get(name string) *handle {
	h.mu.Lock()
	x := h.open[name]
	if x == nil {
		x = &handle{}
		h.open[name] = x
	}
	h.mu.Unlock()
	x.mu.Lock()
	x.users++
	x.mu.Unlock()
	return x
}

func (h *Handles) Put(name string, x *handle) {
	x.mu.Lock()
	x.users--
	last := x.users == 0 // want `\(\*Handles\).Get can add to x.users once x.mu is released here and before delete is called because it was empty`
	x.mu.Unlock()
	if last {
		h.mu.Lock()
		delete(h.open, name)
		h.mu.Unlock()
	}
}

// Uptime tells whom it was given when something changes.
type Uptime struct {
	mu sync.RWMutex
	up map[string]bool
}

func (u *Uptime) isUp(name string) bool {
	u.mu.RLock()
	defer u.mu.RUnlock()
	return u.up[name]
}

func (u *Uptime) Mark(name string, up bool, tell func(string, bool)) {
	if u.isUp(name) == up { // want `two goroutines can both pass the test of u.up \(in u.isUp\) and both set it: u.mu is held for reading first`
		return
	}
	u.mu.Lock()
	u.up[name] = up
	u.mu.Unlock()
	tell(name, up)
}

// A Dialogue has nothing that says it is used by several but the way in which its state is read.
type Dialogue struct{ state int32 }

func (d *Dialogue) get() int32  { return atomic.LoadInt32(&d.state) }
func (d *Dialogue) set(s int32) { atomic.StoreInt32(&d.state, s) }

func (d *Dialogue) Greet(hello func() error) error {
	if d.get() != 0 { // want `two goroutines can both pass the test of d.state \(in d.get\) and both set it: two atomic operations are not one`
		return errors.New("too late")
	}
	d.set(1)
	return hello()
}
