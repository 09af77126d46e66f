package broken

import (
	"io"
	"sync"
	"time"
)

// A Link has a state that all methods but one ask for under the lock.
type Link struct {
	mu    sync.Mutex
	state int
	name  string
}

func (l *Link) SetState(s int) {
	l.mu.Lock()
	l.state = s
	l.mu.Unlock()
}

func (l *Link) Up() {
	l.mu.Lock()
	l.state = 1
	l.mu.Unlock()
}

func (l *Link) State() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state
}

func (l *Link) Ready() bool {
	return l.state == 1 // want `l.state is accessed here without the lock that all other functions hold for it: l.mu in \(\*Link\).SetState`
}

// A Sampler takes the lock too late.
type Sampler struct {
	lock  sync.Mutex
	rates map[string]int
	keys  int
	done  chan struct{}
}

func (t *Sampler) Start() {
	go func() {
		tick := time.NewTicker(time.Second)
		for {
			select {
			case <-tick.C:
				t.update(map[string]int{"a": 1})
			case <-t.done:
				return
			}
		}
	}()
}

func (t *Sampler) update(counts map[string]int) {
	t.keys = len(counts) // want `t.keys is written here before t.lock is taken, with which \(\*Sampler\).Metrics reads it`
	t.lock.Lock()
	defer t.lock.Unlock()
	t.rates = counts
}

func (t *Sampler) Rate(key string) int {
	t.lock.Lock()
	defer t.lock.Unlock()
	return t.rates[key]
}

func (t *Sampler) Metrics() map[string]int {
	t.lock.Lock()
	defer t.lock.Unlock()
	return map[string]int{"keys": t.keys, "rates": len(t.rates)}
}

// A Printer formats what it writes by something that others can set meanwhile.
type Printer struct {
	mu     sync.Mutex
	out    io.Writer
	Format Formatter
}

type Formatter interface{ Format(string) []byte }

type Line struct{ Printer *Printer }

func (p *Printer) SetFormat(f Formatter) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Format = f
}

func (p *Printer) SetOutput(w io.Writer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.out = w
}

func (l *Line) Print(s string) {
	text := l.Printer.Format.Format(s) // want `l.Printer.Format is read here before .*\.mu is taken, with which \(\*Printer\).SetFormat sets it`
	l.Printer.mu.Lock()
	defer l.Printer.mu.Unlock()
	l.Printer.out.Write(text)
}

// A phase is set with its lock held for reading, as it is read by the goroutine beside.
type phase struct {
	sync.RWMutex
	val int
}

func (f *phase) get() int {
	f.RLock()
	defer f.RUnlock()
	return f.val
}

func (f *phase) set(v int) {
	f.RLock()
	defer f.RUnlock()
	f.val = v // want `f.val is written here with f.RWMutex held for reading only, which others can do at the same time`
}

type Handshake struct{ at phase }

func Begin(next func() int) *Handshake {
	h := &Handshake{}
	go h.timer()
	go h.read(next)
	return h
}

func (h *Handshake) timer() {
	for h.at.get() < 3 {
		time.Sleep(time.Millisecond)
	}
}

func (h *Handshake) read(next func() int) {
	for {
		h.at.set(next())
	}
}

// Resolver changes an entry with the lock held for reading, as others read it.
type Resolver struct {
	sync.RWMutex
	hosts map[string]*hostEntry
}

type hostEntry struct{ addrs []string }

func NewResolver() *Resolver { return &Resolver{hosts: map[string]*hostEntry{}} }

func (r *Resolver) Resolve(name string, look func(string) []string) []string {
	r.RLock()
	h := r.hosts[name]
	r.RUnlock()
	if h == nil {
		return nil
	}
	addrs := look(name)
	r.RLock()
	h.addrs = addrs // want `h.addrs is written here with r.RWMutex held for reading only, which others can do at the same time`
	r.RUnlock()
	return addrs
}

func (r *Resolver) Add(name string) {
	r.Lock()
	defer r.Unlock()
	r.hosts[name] = &hostEntry{}
}

func (r *Resolver) Addresses(name string) []string {
	r.RLock()
	defer r.RUnlock()
	if h := r.hosts[name]; h != nil {
		return h.addrs
	}
	return nil
}
