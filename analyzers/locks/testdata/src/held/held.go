// Package held calls probe under all kinds of locks.
package held

import "sync"

func probe() {}

type T struct {
	mu sync.Mutex
	rw sync.RWMutex
	sync.Locker
	in inner
}

type inner struct{ sync.Mutex }

var global sync.Mutex

func (t *T) Plain(read bool) {
	probe() // want `<>`
	t.mu.Lock()
	probe() // want `<t.mu>`
	t.rw.RLock()
	probe() // want `<t.mu, t.rw shared>`
	t.mu.Unlock()
	probe() // want `<t.rw shared>`
	t.rw.RUnlock()
	probe() // want `<>`

	if read {
		t.mu.Lock()
	}
	probe() // want `<t.mu\?>`
}

func (t *T) Deferred() {
	global.Lock()
	defer global.Unlock()
	probe() // want `<global>`
}

func (t *T) Embedded() {
	t.in.Lock()
	probe() // want `<t.in.Mutex>`
	t.in.Mutex.Unlock()
	probe() // want `<>`
}

func (t *T) Pointer() {
	mu := &t.mu
	mu.Lock()
	probe() // want `<t.mu>`
	t.mu.Unlock()
	probe() // want `<>`
}

func (t *T) Try() {
	if !t.mu.TryLock() {
		probe() // want `<>`
		return
	}
	probe() // want `<t.mu>`
	t.mu.Unlock()
}

func (t *T) acquire() { t.mu.Lock() }
func (t *T) release() { t.mu.Unlock() }

func (t *T) Wrapped() {
	t.acquire()
	probe() // want `<t.mu>`
	t.release()
	probe() // want `<>`
}

func (t *T) One() {
	t.mu.Lock()
	t.callee()
	t.mu.Unlock()
}

func (t *T) Two() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rw.Lock()
	defer t.rw.Unlock()
	t.callee()
}

func (t *T) callee() {
	probe() // want `<t.mu, t.rw\?>`
}

func (t *T) countLocked() {
	probe() // want `<the caller's lock>`
}

// Count must be called with the mutex held.
func (t *T) Count() {
	probe() // want `<the caller's lock>`
	t.mu.Unlock()
	probe() // want `<>`
	t.mu.Lock()
}

func (t *T) Literals(run func(func())) {
	t.mu.Lock()
	defer t.mu.Unlock()
	func() {
		probe() // want `<t.mu>`
	}()
	go func() {
		probe() // want `<>`
	}()
	run(func() {
		probe() // want `<t.mu>`
	})
	local := func() {
		probe() // want `<t.mu>`
	}
	local()
	var once sync.Once
	once.Do(func() {
		probe() // want `<sync.Once, t.mu>`
	})
}

func (t *T) Early(ok bool) {
	t.mu.Lock()
	if !ok {
		t.mu.Unlock()
		return
	}
	probe() // want `<t.mu>`
	t.mu.Unlock()
}

// chained gives itself back when it is locked, for a statement that does both.
type chained struct{ mu sync.Mutex }

func (c *chained) Lock() *chained {
	c.mu.Lock()
	return c
}

func (c *chained) Unlock() { c.mu.Unlock() }

type inOneLine struct{ l *chained }

func (o *inOneLine) change() {
	defer o.l.Lock().Unlock()
	probe() // want `<o.l.mu>`
}

func (o *inOneLine) Twice() {
	o.change()
	probe() // want `<>`
	o.change()
	o.l.Lock()
	probe() // want `<o.l.mu>`
	o.l.Unlock()
	probe() // want `<>`
}
