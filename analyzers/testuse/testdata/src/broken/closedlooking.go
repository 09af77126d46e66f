package broken

import (
	"context"
	"errors"
	"sync"
)

// Packets keeps packets.
type Packets struct {
	mu sync.Mutex
	ch chan []byte
}

// The look comes first.
func (p *Packets) Close() error {
loop:
	for {
		select {
		case _, ok := <-p.ch: // want `two goroutines can both find p.ch open and close it twice: p.mu is taken only afterwards`
			if !ok {
				return errors.New("closed already")
			}
		default:
			p.mu.Lock()
			close(p.ch)
			p.mu.Unlock()
			break loop
		}
	}
	return nil
}

type until struct {
	ctx  context.Context
	done chan struct{}
}

func (u *until) end() {
	select {
	case <-u.done: // want `two goroutines can both find u.done open and close it twice: the look and close are two operations`
	default:
		close(u.done)
	}
}

func (u *until) listen() {
	select {
	case <-u.ctx.Done():
		u.end()
	case <-u.done:
	}
}

// The goroutine and what is deferred may both come to the end.
func work(ctx context.Context, do func(<-chan struct{})) {
	u := &until{ctx: ctx, done: make(chan struct{})}
	defer u.end()
	go u.listen()
	do(u.done)
}

// Work works.
func Work(ctx context.Context) { work(ctx, func(<-chan struct{}) {}) }

type cord struct{ done chan struct{} }

func (l *cord) end() { close(l.done) }

type pane struct {
	once sync.Once
	done chan struct{}
}

func (p *pane) end() { p.once.Do(func() { close(p.done) }) }

// Cords are ended by who removes them.
type Cords struct {
	byID  sync.Map
	mu    sync.Mutex
	named map[string]*cord
	panes map[string]*pane
}

func (l *Cords) get(id string) *cord {
	if v, ok := l.byID.Load(id); ok {
		return v.(*cord)
	}
	return nil
}

// It is removed whether there was one or not.
func (l *Cords) Remove(id string) {
	x := l.get(id) // want `two goroutines can both find the object in Cords.byID\[\] and call end, which closes l.done: it is taken out in another step`
	if x != nil {
		x.end()
	}
	l.byID.Delete(id)
}

func (l *Cords) Unname(name string) {
	l.mu.Lock()
	x := l.named[name] // want `two goroutines can both find the object in Cords.named\[\] and call end, which closes l.done`
	l.mu.Unlock()
	if x != nil {
		x.end()
	}
	l.mu.Lock()
	delete(l.named, name)
	l.mu.Unlock()
}

// What is closed once may be ended twice.
func (l *Cords) Unpane(name string) {
	l.mu.Lock()
	x := l.panes[name]
	l.mu.Unlock()
	if x != nil {
		x.end()
	}
	l.mu.Lock()
	delete(l.panes, name)
	l.mu.Unlock()
}

// One step takes it out.
func (l *Cords) Take(name string) {
	l.mu.Lock()
	x := l.named[name]
	delete(l.named, name)
	l.mu.Unlock()
	if x != nil {
		x.end()
	}
}
