package broken

import (
	"net"
	"sync"
	"sync/atomic"
)

// Peer has a connection once it says so.
type Peer struct {
	connected atomic.Bool
	conn      net.Conn
	state     int32
	cause     struct {
		sync.Mutex
		err error
	}
	late  atomic.Bool
	name  *string
	ready atomic.Bool
	addr  net.Addr
	mu    sync.Mutex
	open  atomic.Bool
	out   net.Conn
	ended atomic.Bool
	in    net.Conn
	seen  atomic.Bool
	look  net.Conn
}

func (p *Peer) Attach(conn net.Conn) {
	if !p.connected.CompareAndSwap(false, true) { // want `p.connected is set before p.conn is stored: \(\*Peer\).Detach can find it set and go on to the other, which is not there yet`
		return
	}
	p.conn = conn
}

func (p *Peer) Detach() {
	if p.connected.Load() {
		p.conn.Close()
	}
}

const (
	normal int32 = iota
	stopped
	removed
)

func (p *Peer) fail(err error) {
	if atomic.CompareAndSwapInt32(&p.state, normal, stopped) { // want `p.state is set before p.cause.err is stored: \(\*Peer\).Handle can find it set and go on to the other, which is not there yet`
		p.cause.Lock()
		p.cause.err = err
		p.cause.Unlock()
	}
}

func (p *Peer) Fail(err error) { p.fail(err) }

func (p *Peer) remove() bool { return atomic.CompareAndSwapInt32(&p.state, stopped, removed) }

func (p *Peer) takeError() (err error) {
	p.cause.Lock()
	defer p.cause.Unlock()
	err, p.cause.err = p.cause.err, nil
	return err
}

func (p *Peer) Handle() error {
	if p.remove() {
		return p.takeError()
	}
	return nil
}

func (p *Peer) SetName(name string) {
	p.late.Store(true) // want `p.late is set before p.name is stored`
	p.name = &name
}

func (p *Peer) named() bool { return p.late.Load() }

func (p *Peer) Name() string {
	if !p.named() {
		return ""
	}
	return *p.name
}

// SetAddr sets the flag last.
func (p *Peer) SetAddr(addr net.Addr) {
	p.addr = addr
	p.ready.Store(true)
}

func (p *Peer) Addr() string {
	if p.ready.Load() {
		return p.addr.String()
	}
	return ""
}

// Accept holds the lock over both.
func (p *Peer) Accept(conn net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open.Store(true)
	p.out = conn
}

func (p *Peer) Send(b []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open.Load() {
		p.out.Write(b)
	}
}

// End sets the flag so that nobody goes on to the connection.
func (p *Peer) End(last net.Conn) {
	p.ended.Store(true)
	p.in = last
}

func (p *Peer) Read(b []byte) {
	if p.ended.Load() {
		return
	}
	p.in.Read(b)
}

// See is looked at again.
func (p *Peer) See(conn net.Conn) {
	p.seen.Store(true)
	p.look = conn
}

func (p *Peer) Look(b []byte) {
	if p.seen.Load() && p.look != nil {
		p.look.Read(b)
	}
}

// NewPeer is alone with it.
func NewPeer(conn net.Conn) *Peer {
	p := &Peer{}
	p.connected.Store(true)
	p.conn = conn
	return p
}

// Lazy is connected at first use. The lock keeps nobody out who does not take it.
type Lazy struct {
	state atomic.Int32
	mu    sync.Mutex
	conn  *Lazy
}

func (l *Lazy) Get(dial func() *Lazy) *Lazy {
	if l.state.Load() == 2 {
		return l.conn
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state.Load() == 2 {
		return l.conn
	}
	l.state.Store(1)
	c := dial()
	l.state.Store(2) // want `l.state is set before l.conn is stored: \(\*Lazy\).Get can find it set and go on to the other, which is not there yet`
	l.conn = c
	return c
}

// Later stores it first.
type Later struct {
	state atomic.Int32
	mu    sync.Mutex
	conn  *Later
}

func (l *Later) Get(dial func() *Later) *Later {
	if l.state.Load() == 2 {
		return l.conn
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state.Load() == 2 {
		return l.conn
	}
	l.state.Store(1)
	l.conn = dial()
	l.state.Store(2)
	return l.conn
}
