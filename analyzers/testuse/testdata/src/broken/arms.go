package broken

import (
	"sync"
	"sync/atomic"
)

// pipe hands messages from any goroutine to one reader.
type pipe struct {
	mu   sync.Mutex
	wg   sync.WaitGroup
	done chan struct{}
	once sync.Once
	msgs chan int
	acks chan int
	logs chan int
	errs chan error
	held chan int
}

// Pipe is used by many.
type Pipe struct{ pipe }

func (p *Pipe) Send(m int) {
	select {
	case <-p.done:
	case p.msgs <- m: // want `p.msgs can be closed here: \(\*Pipe\).Close closes it once p.done is closed, and a select that finds both arms ready takes either; a send on a closed channel panics`
	}
}

func (p *Pipe) Ack(m int) {
	select {
	case <-p.done:
	case p.acks <- m:
	}
}

func (p *Pipe) Log(m int) {
	select {
	case <-p.done:
		p.once.Do(func() { close(p.logs) })
	case p.logs <- m: // want `p.logs can be closed here`
	}
}

func (p *Pipe) Fail(err error) {
	p.wg.Add(1)
	defer p.wg.Done()
	select {
	case <-p.done:
	case p.errs <- err:
	}
}

func (p *Pipe) Hold(m int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.done:
	case p.held <- m: // want `p.held can be closed here: \(\*Pipe\).Close closes it once p.done is closed`
	}
}

// Close is called once.
func (p *Pipe) Close() {
	p.mu.Lock()
	close(p.done)
	close(p.held)
	p.mu.Unlock()
	close(p.msgs)
	p.wg.Wait() // for Fail
	close(p.errs)
}

// feed closes its own channel, and what it has not seen the end of.
func (p *Pipe) feed() {
	for {
		select {
		case <-p.done:
			return
		case m := <-p.msgs:
			if m == 0 {
				close(p.acks)
				return
			}
		}
	}
}

// Meter counts those who send, and waits for them.
type Meter struct {
	pending atomic.Int64
	over    atomic.Bool
	done    chan struct{}
	points  chan int
}

func (m *Meter) Report(n int) {
	m.pending.Add(1)
	defer m.pending.Add(-1)
	if m.over.Load() {
		return
	}
	select {
	case m.points <- n:
	case <-m.done:
	}
}

func (m *Meter) Close() {
	if !m.over.CompareAndSwap(false, true) {
		return
	}
	for m.pending.Load() > 0 {
	}
	close(m.done)
	close(m.points)
}

func (p *Pipe) Start() { go p.feed() }

// Lane takes frames for a reader until it is shut.
type Lane struct {
	mu     sync.Mutex
	rw     sync.RWMutex
	gone   chan struct{}
	frames chan []byte
}

// Road has lanes, whose frames its workers hand on.
type Road struct {
	mu    sync.Mutex
	lanes map[int]*Lane
}

func (r *Road) lane(n int) *Lane {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lanes[n]
}

func (r *Road) Run(in chan int) {
	for range 4 {
		go func() {
			for n := range in {
				r.handle(n, []byte{1})
			}
		}()
	}
}

func (r *Road) handle(n int, frame []byte) {
	l := r.lane(n)
	if l == nil {
		return
	}
	if len(frame) > 0 {
		l.rw.RLock()
		select {
		case <-l.gone:
		case l.frames <- frame: // want `l.frames can be closed here: \(\*Lane\).Shut closes it once l.gone is closed, and a select that finds both arms ready takes either`
		}
		l.rw.RUnlock()
	}
}

// Shut waits for those that send now, and does not keep the next ones out.
func (l *Lane) Shut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-l.gone:
	default:
		close(l.gone)
		l.rw.Lock()
		defer l.rw.Unlock()
		close(l.frames)
	}
}
