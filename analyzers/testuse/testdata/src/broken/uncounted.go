package broken

import (
	"sync"
	"sync/atomic"
)

// Intake takes requests until it is stopped, and waits for those under way.
type Intake struct {
	mu       sync.RWMutex
	stopped  bool
	inFlight sync.WaitGroup
	store    *[]string
}

func (i *Intake) Push(s string) bool {
	i.mu.RLock()
	stopped := i.stopped // want `between this look at i.stopped and the Add, another goroutine can end it and wait for i.inFlight`
	i.mu.RUnlock()
	if stopped {
		return false
	}
	i.inFlight.Add(1)
	defer i.inFlight.Done()
	*i.store = []string{s}
	return true
}

func (i *Intake) Stop() {
	i.mu.Lock()
	i.stopped = true
	i.mu.Unlock()
	i.inFlight.Wait()
	i.store = nil
}

// Careful keeps the lock until it is counted.
func (i *Intake) Careful() {
	i.mu.RLock()
	if i.stopped {
		i.mu.RUnlock()
		return
	}
	i.inFlight.Add(1)
	i.mu.RUnlock()
	defer i.inFlight.Done()
	println(i.store)
}

// Queue is ended by an atomic flag.
type Queue struct {
	closed  atomic.Bool
	senders sync.WaitGroup
	out     chan int
}

func (q *Queue) Put(n int) {
	if q.closed.Load() { // want `between this look at q.closed and the Add, another goroutine can end it and wait for q.senders`
		return
	}
	q.senders.Add(1)
	defer q.senders.Done()
	q.out <- n
}

// TryPut looks again once it is counted.
func (q *Queue) TryPut(n int) {
	if q.closed.Load() {
		return
	}
	q.senders.Add(1)
	defer q.senders.Done()
	if q.closed.Load() {
		return
	}
	q.out <- n
}

func (q *Queue) Close() {
	if q.closed.Swap(true) {
		return
	}
	q.senders.Wait()
	close(q.out)
}

// Buffers are freed by whoever removes them, when nobody reads them any more.
type Buffers struct {
	mu sync.Mutex
	m  map[string]*buffer
}

type buffer struct {
	readers sync.WaitGroup
	data    []byte
}

func (b *Buffers) Read(name string, p []byte) int {
	b.mu.Lock()
	buf, ok := b.m[name] // want `between this look at b.m and the Add, another goroutine can end it and wait for b.readers`
	b.mu.Unlock()
	if !ok {
		return 0
	}
	return buf.read(p)
}

// ReadLocked counts the reader under the lock.
func (b *Buffers) ReadLocked(name string, p []byte) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if buf, ok := b.m[name]; ok {
		return buf.read(p)
	}
	return 0
}

func (b *Buffers) Free(name string) {
	b.mu.Lock()
	buf := b.m[name]
	delete(b.m, name)
	b.mu.Unlock()
	if buf != nil {
		buf.free()
	}
}

func (b *buffer) read(p []byte) int {
	b.readers.Add(1)
	defer b.readers.Done()
	return copy(p, b.data)
}

func (b *buffer) free() {
	b.readers.Wait()
	b.data = nil
}
