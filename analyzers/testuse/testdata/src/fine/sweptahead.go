package fine

import (
	"net"
	"sync"
)

// TrunkLine connects callers.
type TrunkLine struct {
	mu       sync.Mutex
	listener net.Listener
	lines    map[net.Conn]struct{}
	accepted chan struct{}
}

// NewTrunkLine starts to accept.
func NewTrunkLine(l net.Listener) *TrunkLine {
	e := &TrunkLine{listener: l, lines: map[net.Conn]struct{}{}, accepted: make(chan struct{})}
	go e.accept()
	return e
}

func (e *TrunkLine) accept() {
	defer close(e.accepted)
	for {
		c, err := e.listener.Accept()
		if err != nil {
			return
		}
		e.mu.Lock()
		e.lines[c] = struct{}{}
		e.mu.Unlock()
	}
}

// Close waits first.
func (e *TrunkLine) Close() {
	e.listener.Close()
	<-e.accepted
	e.mu.Lock()
	for c := range e.lines {
		c.Close()
	}
	e.mu.Unlock()
}

// Abort walks twice.
func (e *TrunkLine) Abort() {
	e.listener.Close()
	e.hangUp()
	<-e.accepted
	e.mu.Lock()
	for c := range e.lines {
		c.Close()
	}
	e.mu.Unlock()
}

func (e *TrunkLine) hangUp() {
	e.mu.Lock()
	for c := range e.lines {
		c.Close()
	}
	e.mu.Unlock()
}

// TollTrunk refuses those who come late.
type TollTrunk struct {
	mu       sync.Mutex
	listener net.Listener
	lines    map[int]net.Conn
	n        int
	ending   bool
	group    sync.WaitGroup
}

// NewTollTrunk starts to accept.
func NewTollTrunk(l net.Listener) *TollTrunk {
	e := &TollTrunk{listener: l, lines: map[int]net.Conn{}}
	e.group.Add(1)
	go func() {
		defer e.group.Done()
		e.accept()
	}()
	return e
}

func (e *TollTrunk) accept() {
	for {
		c, err := e.listener.Accept()
		if err != nil {
			return
		}
		e.add(c)
	}
}

func (e *TollTrunk) add(c net.Conn) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ending {
		c.Close()
		return
	}
	e.n++
	e.lines[e.n] = c
}

// Close hangs up.
func (e *TollTrunk) Close() {
	e.mu.Lock()
	e.ending = true
	e.listener.Close()
	for _, c := range e.lines {
		c.Close()
	}
	e.mu.Unlock()
	e.group.Wait()
}

// QuietTrunk has lines that end when the channel is closed.
type QuietTrunk struct {
	mu       sync.Mutex
	listener net.Listener
	lines    map[net.Conn]struct{}
	quiet    chan struct{}
	accepted chan struct{}
}

// NewQuietTrunk starts to accept.
func NewQuietTrunk(l net.Listener) *QuietTrunk {
	e := &QuietTrunk{listener: l, lines: map[net.Conn]struct{}{}, quiet: make(chan struct{}), accepted: make(chan struct{})}
	go e.accept()
	return e
}

func (e *QuietTrunk) accept() {
	defer close(e.accepted)
	for {
		c, err := e.listener.Accept()
		if err != nil {
			return
		}
		e.mu.Lock()
		e.lines[c] = struct{}{}
		e.mu.Unlock()
		go e.serve(c)
	}
}

func (e *QuietTrunk) serve(c net.Conn) {
	<-e.quiet
	c.Close()
}

// Close hangs up once.
func (e *QuietTrunk) Close() {
	close(e.quiet)
	e.listener.Close()
	e.mu.Lock()
	for c := range e.lines {
		c.Close()
	}
	e.mu.Unlock()
	<-e.accepted
}
