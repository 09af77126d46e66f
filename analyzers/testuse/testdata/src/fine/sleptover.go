package fine

import (
	"errors"
	"sync"
)

// Hopper looks at all of it after each wait.
type Hopper struct {
	mu     sync.Mutex
	room   *sync.Cond
	grains []int
	max    int
	free   int
	closed bool
}

func NewHopper(max int) *Hopper {
	h := &Hopper{max: max}
	h.room = sync.NewCond(&h.mu)
	return h
}

func (h *Hopper) Put(grain int) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return errors.New("closed")
	}
	for len(h.grains) >= h.max && !h.closed {
		h.room.Wait()
	}
	if h.closed {
		return errors.New("closed")
	}
	h.grains = append(h.grains, grain)
	return nil
}

// Take has the number in a local that it renews.
func (h *Hopper) Take(n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	free := h.free
	for free < n {
		h.room.Wait()
		free = h.free
	}
	h.free -= n
}

// Reserve polls.
func (h *Hopper) Reserve(n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	free := h.free
	for {
		if free >= n {
			break
		}
		h.mu.Unlock()
		println("full")
		h.mu.Lock()
		free = h.free
	}
	h.free -= n
}

// Serve comes back to its test.
func (h *Hopper) Serve(each func(int)) {
	for {
		h.mu.Lock()
		if len(h.grains) == 0 {
			h.room.Wait()
			h.mu.Unlock()
			continue
		}
		grain := h.grains[0]
		h.grains = h.grains[1:]
		h.mu.Unlock()
		each(grain)
	}
}

func (h *Hopper) Give(n int) {
	h.mu.Lock()
	h.free += n
	h.mu.Unlock()
	h.room.Broadcast()
}

func (h *Hopper) Close() {
	h.mu.Lock()
	h.closed = true
	h.grains = nil
	h.mu.Unlock()
	h.room.Broadcast()
}

// Vault is opened by one goroutine, which says so.
type Vault struct {
	mu      sync.Mutex
	store   *int
	opening bool
}

func (v *Vault) check() error {
	if v.store != nil || v.opening {
		return errors.New("open")
	}
	return nil
}

func (v *Vault) Open(open func() *int) error {
	v.mu.Lock()
	if err := v.check(); err != nil {
		v.mu.Unlock()
		return err
	}
	v.opening = true
	v.mu.Unlock()
	store := open()
	v.mu.Lock()
	defer v.mu.Unlock()
	v.opening = false
	v.store = store
	return nil
}

func (v *Vault) Peek() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.store == nil {
		return 0
	}
	return *v.store
}

// Gauge waits for the next sample, which begins anew.
type Gauge struct {
	mu     sync.Mutex
	bytes  int
	active bool
}

func (g *Gauge) Limit(n int) int {
	g.mu.Lock()
	for g.bytes >= n && g.active {
		g.wait()
	}
	n -= g.bytes
	g.mu.Unlock()
	return n
}

func (g *Gauge) wait() {
	g.mu.Unlock()
	println("wait")
	g.mu.Lock()
	g.sample(0)
}

func (g *Gauge) sample(n int) {
	g.bytes += n
	if n == 0 {
		g.bytes = 0
	}
}

func (g *Gauge) Add(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.sample(n)
}

// Wanted is delivered once.
type Wanted struct {
	mu   sync.Mutex
	ctx  *int
	done bool
}

func (w *Wanted) context() *int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ctx
}

func (w *Wanted) deliver() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.done {
		return false
	}
	w.ctx = nil
	w.done = true
	return true
}

func serve(w *Wanted) bool {
	ctx := w.context()
	if ctx == nil {
		return false
	}
	println(*ctx)
	return w.deliver()
}

func (w *Wanted) Serve() {
	for range 3 {
		go serve(w)
	}
}
