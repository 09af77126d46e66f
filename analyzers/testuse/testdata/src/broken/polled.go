package broken

import "sync"

// Group tells errors until it is closed.
type Group struct {
	closed chan struct{}
	errors chan error
	done   chan struct{}
	once   sync.Once
	mu     sync.Mutex
	ended  bool
	events chan int
	loops  sync.WaitGroup
	ticks  chan int
}

func (g *Group) Tell(err error) {
	select {
	case <-g.closed: // want `g.errors can be closed between the look at g.closed and the send on it, which then panics: \(\*Group\).Close closes both`
		return
	default:
	}
	if err != nil {
		select {
		case g.errors <- err:
		default:
		}
	}
}

func (g *Group) Close() {
	g.once.Do(func() {
		close(g.closed)
		g.leave()
		go func() { close(g.errors) }()
		for range g.errors {
		}
	})
}

func (g *Group) leave() {}

// Tick comes from goroutines that End waits for.
func (g *Group) Tick(n int) {
	select {
	case <-g.done:
		return
	default:
	}
	g.ticks <- n
}

func (g *Group) End() {
	close(g.done)
	g.loops.Wait()
	close(g.ticks)
}

// Record sends when the lock that told it to was released.
func (g *Group) Record(n int) {
	g.mu.Lock()
	if g.ended { // want `g.events can be closed between the test of g.ended and the send on it`
		g.mu.Unlock()
		return
	}
	g.mu.Unlock()
	g.events <- n
}

func (g *Group) Leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ended {
		return
	}
	g.ended = true
	g.shut()
}

func (g *Group) shut() { close(g.events) }
