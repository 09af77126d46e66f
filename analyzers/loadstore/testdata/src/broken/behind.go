package broken

import (
	"io"
	"sync"
)

type sums struct{ in, out int64 }

// A Meter is shared by the pipes that it has made.
type Meter struct {
	mu     sync.Mutex
	sums   sums
	opened int
}

func (m *Meter) Total() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sums.in + m.sums.out
}

func (m *Meter) Turn() {
	m.mu.Lock()
	m.sums = sums{}
	m.opened = 0
	m.mu.Unlock()
}

func (m *Meter) Opened() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.opened
}

type pipe struct {
	io.ReadWriter
	m     *Meter
	local int64
}

func (m *Meter) Pipe(rw io.ReadWriter) io.ReadWriter { return &pipe{ReadWriter: rw, m: m} }

func (p *pipe) Write(b []byte) (int, error) {
	n, err := p.ReadWriter.Write(b)
	s := &p.m.sums
	s.out += int64(n) // want `two goroutines can both read s.out before either stores it, and one update is lost: no lock is held`
	p.m.opened++      // want `two goroutines can both read p.m.opened before either stores it`
	p.local += int64(n)
	return n, err
}

func (p *pipe) Read(b []byte) (int, error) {
	n, err := p.ReadWriter.Read(b)
	p.m.mu.Lock()
	p.m.sums.in += int64(n)
	p.m.mu.Unlock()
	return n, err
}
