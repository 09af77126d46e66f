package waiting

import "sync"

// Mill grinds until it is stopped: a miller that has looked, and does not wait yet, sleeps for ever.
type Mill struct {
	mu    sync.Mutex
	cond  *sync.Cond
	stop  chan struct{}
	once  sync.Once
	sacks int
}

func NewMill() *Mill {
	m := &Mill{stop: make(chan struct{})}
	m.cond = sync.NewCond(&m.mu)
	return m
}

func (m *Mill) Put() {
	m.mu.Lock()
	m.sacks++
	m.cond.Signal()
	m.mu.Unlock()
}

func (m *Mill) Take() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for m.sacks == 0 {
		select {
		case <-m.stop:
			return false
		default:
		}
		m.cond.Wait()
	}
	m.sacks--
	return true
}

func (m *Mill) Halt() {
	m.once.Do(func() {
		close(m.stop) // want `m\.stop is closed here without m\.mu, which a waiter holds from its look at it to its wait: the m\.cond\.Broadcast can be given, to nobody, in between`
		m.cond.Broadcast()
	})
}

// Press looks by a method of its own.
type Press struct {
	mu   sync.Mutex
	cond *sync.Cond
	stop chan struct{}
	once sync.Once
	full bool
}

func NewPress() *Press {
	p := &Press{stop: make(chan struct{})}
	p.cond = sync.NewCond(&p.mu)
	return p
}

func (p *Press) isStopped() bool {
	select {
	case <-p.stop:
		return true
	default:
		return false
	}
}

func (p *Press) Fill() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.full && !p.isStopped() {
		p.cond.Wait()
	}
	p.full = true
	return !p.isStopped()
}

func (p *Press) Empty() {
	p.mu.Lock()
	p.full = false
	p.mu.Unlock()
	p.cond.Broadcast()
}

func (p *Press) Halt() {
	p.once.Do(func() { close(p.stop) }) // the signal comes later, and is not followed here
	p.cond.Broadcast()
}

func (p *Press) Break() {
	if p.isStopped() {
		return
	}
	p.once.Do(func() {
		close(p.stop) // want `p\.stop is closed here without p\.mu`
		p.cond.Broadcast()
	})
}

// Loom takes the lock in between, so that a weaver waits already or sees it closed.
type Loom struct {
	mu   sync.Mutex
	cond *sync.Cond
	stop chan struct{}
	once sync.Once
	idle bool
}

func (l *Loom) Weave() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.idle {
		select {
		case <-l.stop:
			return false
		default:
		}
		l.cond.Wait()
	}
	return true
}

func (l *Loom) Halt() {
	l.once.Do(func() {
		close(l.stop)
		l.mu.Lock()
		l.cond.Broadcast()
		l.mu.Unlock()
	})
}

func (l *Loom) Break() {
	l.once.Do(func() {
		l.mu.Lock()
		close(l.stop)
		l.mu.Unlock()
		l.cond.Broadcast()
	})
}
