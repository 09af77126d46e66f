package broken

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
		go e.serve(c)
	}
}

func (e *TrunkLine) serve(c net.Conn) {
	buf := make([]byte, 16)
	for {
		if _, err := c.Read(buf); err != nil {
			break
		}
	}
	e.mu.Lock()
	delete(e.lines, c)
	e.mu.Unlock()
}

// Close hangs up.
func (e *TrunkLine) Close() {
	e.listener.Close()
	e.mu.Lock()
	for c := range e.lines { // want `what \(\*TrunkLine\).accept puts into lines after this walk is never ended: \(\*TrunkLine\).Close waits for the goroutine that does so only afterwards`
		c.Close()
	}
	e.mu.Unlock()
	<-e.accepted
}

// TollTrunk counts its goroutines.
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
			e.mu.Lock()
			ending := e.ending
			e.mu.Unlock()
			if ending {
				return
			}
			continue
		}
		e.add(c)
	}
}

func (e *TollTrunk) add(c net.Conn) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.n++
	e.lines[e.n] = c
}

// Close hangs up.
func (e *TollTrunk) Close() {
	e.mu.Lock()
	e.ending = true
	e.listener.Close()
	for _, c := range e.lines { // want `what \(\*TollTrunk\).add puts into lines after this walk is never ended`
		c.Close()
	}
	e.mu.Unlock()
	e.group.Wait()
}
