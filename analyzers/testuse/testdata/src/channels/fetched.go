package channels

import "sync"

// Workers has one queue for each name, and closes all of them in the end.
type Workers struct {
	mu     sync.RWMutex
	queues map[string]chan int
	quit   chan struct{}
}

func NewWorkers() *Workers {
	w := &Workers{queues: map[string]chan int{}, quit: make(chan struct{})}
	go w.shutdown()
	return w
}

func (w *Workers) shutdown() {
	<-w.quit
	w.mu.RLock()
	defer w.mu.RUnlock()
	for _, q := range w.queues {
		close(q)
	}
}

func (w *Workers) queue(name string) (q chan int) {
	w.mu.RLock()
	q, ok := w.queues[name]
	w.mu.RUnlock()
	if ok {
		return q
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if q, ok = w.queues[name]; ok {
		return q
	}
	q = make(chan int, 10)
	w.queues[name] = q
	return q
}

func (w *Workers) Send(name string, n int) {
	w.queue(name) <- n // want `w.queue\(name\) can be closed by another goroutine once w.mu is released, and the send then panics`
}

// SendAll has the channel in a variable, and several ways to go on.
func (w *Workers) SendAll(name string, list []int) {
	q := w.queue(name) // want `q can be closed by another goroutine once w.mu is released`
	for _, n := range list {
		select {
		case q <- n:
		case <-w.quit:
			return
		}
	}
}

// Lines keeps the lock of the lines while it sends.
type Lines struct {
	sending sync.RWMutex
	mu      sync.Mutex
	lines   map[string]chan int
	flying  sync.WaitGroup
}

func (l *Lines) line(name string) chan int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines[name]
}

func (l *Lines) Send(name string, n int) {
	l.sending.RLock()
	defer l.sending.RUnlock()
	l.line(name) <- n
}

func (l *Lines) Close() {
	l.sending.Lock()
	defer l.sending.Unlock()
	for _, c := range l.lines {
		close(c)
	}
}

// Counted waits for those that send.
type Counted struct {
	mu     sync.Mutex
	lines  map[string]chan int
	flying sync.WaitGroup
}

func (c *Counted) line(name string) chan int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.flying.Add(1)
	return c.lines[name]
}

func (c *Counted) Send(name string, n int) {
	c.line(name) <- n
	c.flying.Done()
}

func (c *Counted) Close() {
	c.flying.Wait()
	for _, l := range c.lines {
		close(l)
	}
}

// Finished stops the one that sends, and waits for it.
type Finished struct {
	mu    sync.Mutex
	lines map[string]chan int
	quit  chan struct{}
	done  chan struct{}
}

func (e *Finished) line(name string) chan int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.lines[name]
}

func (e *Finished) Run(name string) {
	for i := 0; ; i++ {
		select {
		case e.line(name) <- i:
		case <-e.quit:
			close(e.done)
			return
		}
	}
}

func (e *Finished) Close() {
	close(e.quit)
	<-e.done
	for _, l := range e.lines {
		close(l)
	}
}

// Left only removes, and closes nothing.
type Left struct {
	mu    sync.Mutex
	lines map[string]chan int
	done  map[string]chan int
}

func (l *Left) line(name string) chan int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines[name]
}

func (l *Left) Send(name string, n int) { l.line(name) <- n }

func (l *Left) Remove(name string) {
	l.mu.Lock()
	delete(l.lines, name)
	close(l.done[name])
	l.mu.Unlock()
}

// Caught knows that it can happen.
type Caught struct {
	mu    sync.Mutex
	lines map[string]chan int
}

func (c *Caught) line(name string) chan int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lines[name]
}

func (c *Caught) Send(name string, n int) {
	defer func() { recover() }()
	c.line(name) <- n
}

func (c *Caught) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, l := range c.lines {
		close(l)
	}
}
