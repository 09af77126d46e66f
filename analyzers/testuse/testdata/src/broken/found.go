package broken

import (
	"context"
	"sync"
	"sync/atomic"
)

// Timers replaces a timer, and stops the one that it has found.
type Timers struct {
	byName sync.Map
	others sync.Map
}

func (t *Timers) Start(name string) chan struct{} {
	if old, ok := t.byName.Load(name); ok { // want `t.byName\[name\] and both set it: Load and Store are two operations`
		close(old.(chan struct{}))
	}
	stop := make(chan struct{})
	t.byName.Store(name, stop)
	return stop
}

// Restart takes out what it stops in one operation.
func (t *Timers) Restart(name string) chan struct{} {
	stop := make(chan struct{})
	if old, loaded := t.others.Swap(name, stop); loaded {
		close(old.(chan struct{}))
	}
	return stop
}

type streamer interface {
	OpenStream(ctx context.Context) (int, error)
}

// Client opens one stream after the other, up to a last one.
type Client struct {
	mu   sync.Mutex
	conn streamer
	last int
	max  int
}

func (c *Client) Open(ctx context.Context) error {
	c.mu.Lock()
	next := c.last + 4 // want `both pass the test of c.last and both set it: c.mu is released in between`
	end := c.max
	c.mu.Unlock()
	if next >= end {
		return context.Canceled
	}
	id, err := c.conn.OpenStream(ctx)
	if err != nil {
		return err
	}
	c.mu.Lock()
	c.last = id
	c.mu.Unlock()
	return nil
}

func (c *Client) GoAway(max int) {
	c.mu.Lock()
	c.max = max
	c.mu.Unlock()
}

// Worker is closed by whoever notices that it is over, and by its own goroutine.
type Worker struct {
	jobs   sync.WaitGroup
	closed bool
	over   chan struct{}
}

func (w *Worker) Run() {
	go w.wait()
	<-w.over
}

func (w *Worker) wait() {
	w.jobs.Wait()
	if !w.closed {
		w.Close()
	}
}

func (w *Worker) Close() {
	if w.closed { // want `both pass the test of w.closed and close w.over twice: no lock is held`
		return
	}
	w.closed = true
	close(w.over)
}

// Dialer dials each host by itself, at the same time, from one socket.
type Dialer struct {
	mu     sync.Mutex
	conns  map[string]*dialing
	socket *socket
}

type dialing struct {
	done chan struct{}
	conn *socket
}

type socket struct{ open bool }

func listen() *socket { return &socket{} }

func (s *socket) Close() { s.open = false }

func (d *Dialer) Get(host string) *dialing {
	d.mu.Lock()
	defer d.mu.Unlock()
	c, ok := d.conns[host]
	if !ok {
		c = &dialing{done: make(chan struct{})}
		go func() {
			defer close(c.done)
			c.conn = d.dial()
		}()
		d.conns[host] = c
	}
	return c
}

func (d *Dialer) dial() *socket {
	if d.socket == nil { // want `both pass the test of d.socket and both set it: no lock is held`
		d.socket = listen()
	}
	return d.socket
}

func (d *Dialer) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.socket != nil {
		d.socket.Close()
		d.socket = nil
	}
}

// Manager keeps objects; LoadOrStore does in one step what Load and Store do in two.
type Manager interface {
	Load(id string) (*topic, bool)
	Store(t *topic)
	LoadOrStore(t *topic) (*topic, bool)
}

type Seeds struct {
	mu      sync.Mutex
	manager Manager
	plain   box
}

// box is for one goroutine, whatever its methods.
type box struct{ m map[string]int }

func (b *box) Get(k string) (int, bool) { v, ok := b.m[k]; return v, ok }
func (b *box) Set(k string, v int)      { b.m[k] = v }
func (b *box) SetIfAbsent(k string, v int) {
	if _, ok := b.m[k]; !ok {
		b.m[k] = v
	}
}

func (s *Seeds) Seed(id string) *topic {
	t, ok := s.manager.Load(id) // want `both pass the test of s.manager\[id\] and both set it: Load and Store are two operations`
	if !ok {
		t = &topic{name: id}
		s.manager.Store(t)
	}
	return t
}

func (s *Seeds) Locked(id string) *topic {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, ok := s.manager.Load(id)
	if !ok {
		t = &topic{name: id}
		s.manager.Store(t)
	}
	return t
}

func (s *Seeds) InOne(id string) *topic {
	t, _ := s.manager.LoadOrStore(&topic{name: id})
	return t
}

func (s *Seeds) Count(id string) int {
	n, ok := s.plain.Get(id)
	if !ok {
		s.plain.Set(id, 1)
	}
	return n
}

// Handlers ends a handler and takes it out by wrappers around a sync.Map.
type Handlers struct{ byName registry }

type registry struct{ m sync.Map }

func (r *registry) Load(name string) (*Worker, bool) {
	v, ok := r.m.Load(name)
	if !ok {
		return nil, false
	}
	return v.(*Worker), true
}

func (r *registry) Delete(name string) { r.m.Delete(name) }

func (h *Handlers) End(name string) {
	w, ok := h.byName.Load(name) // want `both pass the test of h.byName.m \(in h.byName.Load\) and both delete it: Load and Delete are two operations`
	if !ok {
		return
	}
	w.Close()
	h.byName.Delete(name)
}

// Link has a wire while it is up.
type Link struct{ wire atomic.Pointer[socket] }

func (l *Link) Up()   { l.wire.Store(listen()) }
func (l *Link) Down() { l.wire.Store(nil) }

func (l *Link) Send() {
	if l.wire.Load() == nil { // want `another goroutine can change l.wire after it was tested and before it is used`
		return
	}
	l.wire.Load().Close()
}

// Wires are never taken away.
type Wires struct{ wire atomic.Pointer[socket] }

func (l *Wires) Up() { l.wire.Store(listen()) }

func (l *Wires) Send() {
	if l.wire.Load() == nil {
		return
	}
	l.wire.Load().Close()
}

// Fetcher fetches each page once; who comes second waits for the one who is at it.
type Fetcher struct {
	mu    sync.Mutex
	pages map[string]*fetching
}

type fetching struct {
	done chan struct{}
	body string
}

func (f *Fetcher) Get(name string) string {
	f.mu.Lock()
	p, ok := f.pages[name] // want `two goroutines can both pass the test of f.pages\[name\] and both set it: f.mu is released in between`
	f.mu.Unlock()
	if ok {
		<-p.done
		return p.body
	}
	p = &fetching{done: make(chan struct{})}
	f.mu.Lock()
	f.pages[name] = p
	f.mu.Unlock()
	p.body = name
	close(p.done)
	return p.body
}

// Again looks again when it has waited, but what it has seen then is as old.
func (f *Fetcher) Again(name string) *fetching {
	for {
		f.mu.Lock()
		p, ok := f.pages[name] // want `two goroutines can both pass the test of f.pages\[name\] and both set it: f.mu is released in between`
		f.mu.Unlock()
		if !ok {
			break
		}
		<-p.done
	}
	p := &fetching{done: make(chan struct{})}
	f.mu.Lock()
	f.pages[name] = p
	f.mu.Unlock()
	return p
}
