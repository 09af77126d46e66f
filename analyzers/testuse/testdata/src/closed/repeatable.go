package closed

import (
	"io"
	"sync"
	"sync/atomic"
)

// Queue is what both queues are to their users.
type Queue interface {
	Put(n int)
	ShutDown()
}

// plain is shut down by a flag.
type plain struct {
	mu   sync.Mutex
	cond *sync.Cond
	list []int
	over bool
}

func (q *plain) Put(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.over {
		q.list = append(q.list, n)
	}
}

func (q *plain) ShutDown() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.over = true
	q.cond.Broadcast()
}

// delayed wraps another queue, which may be shut down twice.
type delayed struct {
	Queue
	stop chan struct{}
}

// NewDelayed makes a queue.
func NewDelayed() Queue {
	return &delayed{&plain{}, make(chan struct{})}
}

func (d *delayed) ShutDown() {
	d.Queue.ShutDown()
	close(d.stop) // want `d.stop is closed without a look whether it is closed already: a second call panics, as it does not with \(\*plain\).ShutDown`
}

// guarded looks.
type guarded struct {
	Queue
	once sync.Once
	stop chan struct{}
}

func (g *guarded) ShutDown() {
	g.Queue.ShutDown()
	g.once.Do(func() { close(g.stop) })
}

// Watcher is what there are several kinds of.
type Watcher interface {
	Events() <-chan int
	Stop()
}

// OneWatcher looks before it closes.
type OneWatcher struct {
	events chan int
	quit   chan struct{}
	over   atomic.Bool
}

func (w *OneWatcher) Events() <-chan int { return w.events }

func (w *OneWatcher) Stop() {
	if w.over.CompareAndSwap(false, true) {
		close(w.quit)
	}
}

// TwoWatcher does not.
type TwoWatcher struct {
	events chan int
	quit   chan struct{}
}

func (w *TwoWatcher) Events() <-chan int { return w.events }

func (w *TwoWatcher) Stop() {
	close(w.quit) // want `w.quit is closed without a look whether it is closed already: a second call panics, as it does not with \(\*OneWatcher\).Stop`
}

// Ticker ends as well, and is nothing that a watcher could be taken for.
type Ticker struct{ quit chan struct{} }

func (t *Ticker) Stop() { close(t.quit) }

// Feed renews its channel.
type Feed struct {
	events chan int
	mu     sync.Mutex
	quit   chan struct{}
}

func (f *Feed) Events() <-chan int { return f.events }

func (f *Feed) Stop() {
	f.mu.Lock()
	defer f.mu.Unlock()
	close(f.quit)
	f.quit = make(chan struct{})
}

// Reader and Writer are closed, and that is all they have in common.
type Reader struct {
	once sync.Once
	quit chan struct{}
}

// Close may be called again.
func (r *Reader) Close() error {
	r.once.Do(func() { close(r.quit) })
	return nil
}

// Writer is closed by who has made it.
type Writer struct{ quit chan struct{} }

func (w *Writer) Close() error {
	close(w.quit)
	return nil
}

var _ = []io.Closer{(*Reader)(nil), (*Writer)(nil)}
