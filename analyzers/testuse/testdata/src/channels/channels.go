// Package channels closes, sends and waits on channels by what was true before.
package channels

import (
	"errors"
	"sync"
	"sync/atomic"
)

var errClosed = errors.New("closed")

type Stream struct{ done chan struct{} }

func (s *Stream) isDone() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

func (s *Stream) Close() {
	if s.isDone() { // want `both find s.done open and close it twice`
		return
	}
	close(s.done)
}

func (s *Stream) Stop() {
	select {
	case <-s.done: // want `both find s.done open and close it twice`
		return
	default:
	}
	close(s.done)
}

// Consumer closes without a look in AsyncClose, which Close calls as well.
type Consumer struct {
	dying chan struct{}
	once  sync.Once
	quit  chan struct{}
}

func (c *Consumer) AsyncClose() {
	close(c.dying) // want `c.dying is closed without a look`
}

func (c *Consumer) Close() { c.AsyncClose() }

// Shutdown may be called several times.
func (c *Consumer) Shutdown() {
	c.once.Do(func() { close(c.quit) })
}

// Quit is called once, for all that is known.
func (c *Consumer) Quit() { close(c.quit) }

type Queue struct {
	mu     sync.Mutex
	closed bool
	over   atomic.Bool
	jobs   chan int
	more   chan int
}

func (q *Queue) Put(i int) {
	q.mu.Lock()
	closed := q.closed // want `q.jobs can be closed between the test of q.closed and the send`
	q.mu.Unlock()
	if !closed {
		q.jobs <- i
	}
}

// PutLocked holds the lock until the send is over.
func (q *Queue) PutUnder(i int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.jobs <- i
	}
}

func (q *Queue) More(i int) {
	if q.over.Load() { // want `q.more can be closed between the test of q.over and the send`
		return
	}
	q.more <- i
}

func (q *Queue) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.closed = true
		close(q.jobs)
	}
	if q.over.CompareAndSwap(false, true) {
		close(q.more)
	}
}

func (q *Queue) TryPut(i int) bool {
	if len(q.jobs) < cap(q.jobs) { // want `another goroutine can use q.jobs after its length was looked at`
		q.jobs <- i
		return true
	}
	return false
}

func (q *Queue) Offer(i int) bool {
	select {
	case q.jobs <- i: // want `q.jobs can be closed by \(\*Queue\).Close before or during this send`
		return true
	default:
		return false
	}
}

// Failures are received by one goroutine, whichever of its functions does so.
type Failures struct {
	errs chan error
	more chan error
	mu   sync.Mutex
}

func (f *Failures) Fail(err error) {
	select {
	case f.errs <- err:
	default:
	}
}

func (f *Failures) Run() error {
	if err := f.loop(); err != nil {
		return err
	}
	if len(f.errs) > 0 {
		return <-f.errs
	}
	return nil
}

func (f *Failures) loop() error { return <-f.errs }

func (f *Failures) Leftover() error {
	if err := f.next(); err != nil {
		return err
	}
	if len(f.more) > 0 { // want `another goroutine can use f.more after its length was looked at`
		return <-f.more
	}
	return nil
}

func (f *Failures) next() error { return <-f.more }

func (f *Failures) Next() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.next()
}

type Flusher struct {
	mu    sync.Mutex
	dirty bool
	clean chan struct{}
	idle  chan struct{}
}

func NewFlusher() *Flusher {
	return &Flusher{clean: make(chan struct{}), idle: make(chan struct{}, 1)}
}

func (f *Flusher) Mark() {
	f.mu.Lock()
	f.dirty = true
	f.mu.Unlock()
}

func (f *Flusher) Flushed() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dirty = false
	select {
	case f.clean <- struct{}{}:
	default:
	}
	select {
	case f.idle <- struct{}{}:
	default:
	}
}

func (f *Flusher) Wait() {
	f.mu.Lock()
	dirty := f.dirty // want `the signal on f.clean can be given, to nobody`
	f.mu.Unlock()
	if dirty {
		<-f.clean
	}
}

// WaitIdle has a buffer that keeps the signal.
func (f *Flusher) WaitIdle() {
	f.mu.Lock()
	dirty := f.dirty
	f.mu.Unlock()
	if dirty {
		<-f.idle
	}
}

type refs struct {
	n    atomic.Int32
	done chan struct{}
}

type Pool struct{ refs refs }

func (p *Pool) Release() {
	p.refs.n.Add(-1) // want `the result of Add is dropped`
	if p.refs.n.Load() == 0 {
		close(p.refs.done)
	}
}

func (p *Pool) Put() {
	if p.refs.n.Add(-1) == 0 {
		close(p.refs.done)
	}
}

// Registry hands out what it has made, whatever was there.
type Registry struct{ m sync.Map }

type entry struct{ n int }

func newEntry() *entry { return &entry{} }

func (r *Registry) Build(k string) *entry {
	e := newEntry()
	r.m.Store(k, e) // want `Store replaces what another goroutine has stored for k`
	e.n++
	return e
}

func (r *Registry) Find(k string) *entry {
	v, _ := r.m.Load(k)
	e, _ := v.(*entry)
	return e
}

// Conns acts on the connection found, and replaces whatever is there by then.
type Conns struct {
	mu sync.RWMutex
	m  map[string]*entry
}

func (c *Conns) Handle(k string, e *entry) {
	c.mu.RLock()
	old, ok := c.m[k] // want `both pass the test of c.m\[k\] and both set it`
	c.mu.RUnlock()
	if ok {
		old.close()
	}
	c.mu.Lock()
	c.m[k] = e
	c.mu.Unlock()
}

func (e *entry) close() { e.n = 0 }

// Closer is closed by Signal, and by SignalAndWait by way of it.
type Closer struct {
	closed chan struct{}
	wg     sync.WaitGroup
}

func (c *Closer) Signal() {
	close(c.closed) // want `c.closed is closed without a look`
}

func (c *Closer) SignalAndWait() {
	c.Signal()
	c.wg.Wait()
}

// Once has two ways to its close, of which only the first call comes through.
type Once struct {
	closed chan struct{}
	once   sync.Once
}

func (o *Once) finish() { close(o.closed) }

func (o *Once) Finish() { o.once.Do(o.finish) }

func (o *Once) End() { o.once.Do(func() { o.finish() }) }

// body has a plain flag, and is over by its last Read or by Close.
type body struct {
	over bool
	done chan struct{}
}

func (b *body) finish() {
	if b.over { // want `both pass the test of b.over and close b.done twice`
		return
	}
	b.over = true
	close(b.done)
}

func (b *body) Read(p []byte) (int, error) {
	if len(p) == 0 {
		b.finish()
	}
	return 0, nil
}

func (b *body) Close() error {
	b.finish()
	return nil
}

// Tasks sends on a channel that Stop closes and takes away.
type Tasks struct {
	mu    sync.Mutex
	tasks chan int
}

func (t *Tasks) Put(n int) {
	if t.tasks != nil { // want `t.tasks can be closed between the test of t.tasks and the send on it`
		t.tasks <- n
	}
}

func (t *Tasks) Stop() {
	if t.tasks == nil { // want `both pass the test of t.tasks and close t.tasks twice`
		return
	}
	close(t.tasks)
	t.tasks = nil
}

// Service is over when its loop says so; Stop only asks for it.
type Service struct {
	mu    sync.Mutex
	state atomic.Int32
	quit  chan struct{}
}

func (s *Service) running() bool { return s.state.Load() == 1 }

func (s *Service) Stop() {
	if s.running() { // want `two goroutines can both pass this test and close s.quit twice`
		close(s.quit)
	}
}

// Halt survives it.
func (s *Service) Halt() {
	if s.running() {
		defer func() { recover() }()
		close(s.quit)
	}
}

// End is chosen.
func (s *Service) End() {
	if s.running() && s.state.CompareAndSwap(1, 2) {
		close(s.quit)
	}
}

// Finish holds a lock.
func (s *Service) Finish() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running() {
		close(s.quit)
	}
}

// Hub sends to subscribers that Unsubscribe takes away.
type Hub struct {
	mu    sync.Mutex
	subs  map[int]chan int
	owned map[int]chan int
}

func (h *Hub) Publish(id, v int) {
	h.mu.Lock()
	ch := h.subs[id] // want `ch can be closed by another goroutine once h.mu is released, and the send then panics`
	h.mu.Unlock()
	if ch != nil {
		ch <- v
	}
}

// Flush holds the lock.
func (h *Hub) Flush(id int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	ch := h.subs[id]
	ch <- 0
}

func (h *Hub) Unsubscribe(id int) {
	h.mu.Lock()
	ch := h.subs[id]
	delete(h.subs, id)
	h.mu.Unlock()
	if ch != nil {
		close(ch)
	}
}

// Finish closes only what it sends on itself.
func (h *Hub) Finish(id int) {
	h.mu.Lock()
	ch := h.owned[id]
	delete(h.owned, id)
	h.mu.Unlock()
	ch <- 1
	close(ch)
}

// Link is closed by its reader too, and by whoever is done with it.
type Link struct {
	mu   sync.Mutex
	in   chan int
	quit chan struct{}
	bad  error
}

func NewLink(in chan int) *Link {
	l := &Link{in: in, quit: make(chan struct{})}
	go l.read()
	return l
}

func (l *Link) read() {
	for range l.in {
	}
	l.Close()
}

func (l *Link) Close() error {
	close(l.quit) // want `l.quit is closed without a look whether it is closed already: a second call panics`
	return nil
}

// Wire is closed by its reader where that has found out that it is open.
type Wire struct {
	mu   sync.Mutex
	in   chan int
	quit chan struct{}
	open bool
}

func NewWire(in chan int) *Wire {
	w := &Wire{in: in, quit: make(chan struct{})}
	go w.read()
	return w
}

func (w *Wire) read() {
	for range w.in {
	}
	w.mu.Lock()
	open := w.open
	w.open = false
	w.mu.Unlock()
	if open {
		w.Close()
	}
}

func (w *Wire) Close() error {
	close(w.quit) // want `w.quit is closed without a look whether it is closed already`
	return nil
}

// Gauge can be closed several times: Close is idempotent.
type Gauge struct {
	over chan struct{}
	jobs chan int
}

func (g *Gauge) Close() {
	select {
	case <-g.over: // want `both find g.over open and close it twice`
		// already closed, which makes it idempotent
	default:
		close(g.jobs)
		close(g.over)
	}
}

// Ended is closed by its user, and by the session that it is part of.
type Ended struct {
	mu  sync.Mutex
	die chan struct{}
}

// Close looks whether it is closed.
func (e *Ended) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	select {
	case <-e.die:
		return errClosed
	default:
		close(e.die)
		return nil
	}
}

func (e *Ended) sessionClose() {
	e.mu.Lock()
	defer e.mu.Unlock()
	close(e.die) // want `e.die is closed here without a look whether it is closed already, as \(\*Ended\).Close looks before it closes it`
}

// Sessions is what the objects are part of.
type Sessions struct{ all []*Ended }

// Shutdown closes all.
func (s *Sessions) Shutdown() {
	for _, e := range s.all {
		e.sessionClose()
	}
}

// Broadcast is closed by whoever finds that there is nothing more to come: readers both.
type Broadcast struct {
	mu   sync.RWMutex
	left int
	done chan struct{}
}

func (b *Broadcast) Check() {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if b.left > 0 {
		return
	}
	select {
	case <-b.done: // want `both find b.done open and close it twice: .* RLock does not keep others out`
	default:
		close(b.done)
	}
}

func (b *Broadcast) Less() {
	b.mu.Lock()
	b.left--
	b.mu.Unlock()
	b.Check()
}

// Notice is the same under the lock.
type Notice struct {
	mu   sync.RWMutex
	left int
	done chan struct{}
}

func (n *Notice) Check() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.left--; n.left > 0 {
		return
	}
	select {
	case <-n.done:
	default:
		close(n.done)
	}
}
