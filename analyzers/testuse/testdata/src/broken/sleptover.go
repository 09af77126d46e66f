package broken

import (
	"errors"
	"sync"
)

// Hopper is a bounded queue whose writers wait for room.
type Hopper struct {
	mu     sync.Mutex
	room   *sync.Cond
	grains []int
	max    int
	closed bool
}

func NewHopper(max int) *Hopper {
	h := &Hopper{max: max}
	h.room = sync.NewCond(&h.mu)
	return h
}

// Put looks whether the hopper is closed before it waits only.
func (h *Hopper) Put(grain int) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed { // want `h.closed is tested before h.room.Wait, which gives h.mu up, and not again before h.grains is acted upon: \(\*Hopper\).Close can change it meanwhile`
		return errors.New("closed")
	}
	for len(h.grains) >= h.max {
		h.room.Wait()
	}
	h.grains = append(h.grains, grain)
	return nil
}

func (h *Hopper) Close() {
	h.mu.Lock()
	h.closed = true
	h.grains = nil
	h.mu.Unlock()
	h.room.Broadcast()
}

// Pigeonhole is read by several goroutines.
type Pigeonhole struct {
	mu      sync.Mutex
	arrived sync.Cond
	letters []string
}

func NewPigeonhole() *Pigeonhole {
	in := &Pigeonhole{}
	in.arrived.L = &in.mu
	return in
}

// Take waits once.
func (in *Pigeonhole) Take() string {
	in.mu.Lock()
	defer in.mu.Unlock()
	if len(in.letters) == 0 { // want `in.letters is tested before in.arrived.Wait, which gives in.mu up, and not again before in.letters is acted upon: \(\*Pigeonhole\).Deliver can change it meanwhile`
		in.arrived.Wait()
	}
	letter := in.letters[0]
	in.letters = in.letters[1:]
	return letter
}

func (in *Pigeonhole) Deliver(letter string) {
	in.mu.Lock()
	in.letters = append(in.letters, letter)
	in.mu.Unlock()
	in.arrived.Broadcast()
}

type trunkLine struct{ calls int }

// Switchroom makes lines when it is quiet.
type Switchroom struct {
	mu    sync.Mutex
	quiet *sync.Cond
	lines map[string]*trunkLine
	busy  int
}

func NewSwitchroom() *Switchroom {
	x := &Switchroom{lines: map[string]*trunkLine{}}
	x.quiet = sync.NewCond(&x.mu)
	return x
}

// waitQuiet is called with the lock held.
func (x *Switchroom) waitQuiet() {
	for x.busy > 0 {
		x.quiet.Wait()
	}
}

// Line looks before it waits, in what it calls.
func (x *Switchroom) Line(name string) *trunkLine {
	x.mu.Lock()
	defer x.mu.Unlock()
	if l := x.lines[name]; l != nil { // want `two goroutines can both pass the test of x.lines\[name\] and both set it: x.mu is released in between`
		return l
	}
	x.waitQuiet()
	l := &trunkLine{}
	x.lines[name] = l
	return l
}

func (x *Switchroom) Call(name string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if l := x.lines[name]; l != nil {
		l.calls++
	}
}

func (x *Switchroom) Busy(by int) {
	x.mu.Lock()
	x.busy += by
	x.mu.Unlock()
	x.quiet.Broadcast()
}

// Registrar fetches what it does not know.
type Registrar struct {
	mu    sync.Mutex
	known map[string]*enrolled
	fetch func(string) (string, error)
}

type enrolled struct{ name, key string }

func (r *Registrar) Member(name string) (*enrolled, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.find(name)
}

// find is called with the lock held.
func (r *Registrar) find(name string) (*enrolled, error) {
	if m := r.known[name]; m != nil { // want `two goroutines can both pass the test of r.known\[name\] and both set it: r.mu is released in between`
		return m, nil
	}
	return r.fetchMember(name)
}

// fetchClaims gives the lock up while it asks.
func (r *Registrar) fetchClaims(name string) (string, error) {
	r.mu.Unlock()
	defer r.mu.Lock()
	return r.fetch(name)
}

func (r *Registrar) fetchMember(name string) (*enrolled, error) {
	claims, err := r.fetchClaims(name)
	if err != nil {
		return nil, err
	}
	m := &enrolled{name: claims}
	r.add(name, m)
	return m, nil
}

func (r *Registrar) add(name string, m *enrolled) { r.known[name] = m }

func (r *Registrar) SetKey(name, key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if m := r.known[name]; m != nil {
		m.key = key
	}
}

// watched is a lock that a tool looks at: one of its methods names the lock behind it, the
// other hands that on.
type watched struct{ mu sync.RWMutex }

func (w *watched) Lock()    { watch(w.mu.Lock) }
func (w *watched) Unlock()  { w.mu.Unlock() }
func (w *watched) RLock()   { watch(w.mu.RLock) }
func (w *watched) RUnlock() { w.mu.RUnlock() }

var watch = func(f func()) { f() }

// Lectern has such a lock.
type Lectern struct {
	mu     watched
	papers map[string]*trunkLine
}

func (d *Lectern) Paper(name string) *trunkLine {
	d.mu.RLock()
	p := d.papers[name] // want `two goroutines can both pass the test of d.papers\[name\] and both set it: d.mu is held for reading first and taken for writing later, without looking again`
	d.mu.RUnlock()
	if p == nil {
		p = &trunkLine{}
		d.mu.Lock()
		d.papers[name] = p
		d.mu.Unlock()
	}
	return p
}

func (d *Lectern) Sign(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if p := d.papers[name]; p != nil {
		p.calls++
	}
}
