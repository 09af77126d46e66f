// Package docrepeat has two sinks with two contracts.
package docrepeat

import "sync"

// Sink takes lines. Close ends it; see the type whether it can be called again.
type Sink interface {
	Put(s string)
	Close() error
}

// Memory can be closed again.
type Memory struct {
	mu     sync.Mutex
	lines  []string
	closed bool
	stop   chan struct{}
}

// NewMemory makes one.
func NewMemory() *Memory { return &Memory{stop: make(chan struct{})} }

// Put keeps a line.
func (m *Memory) Put(s string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lines = append(m.lines, s)
}

// Close ends it.
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.closed {
		m.closed = true
		close(m.stop)
	}
	return nil
}

// File is one file.
type File struct {
	mu    sync.Mutex
	lines []string
	stop  chan struct{}
}

// NewFile makes one.
func NewFile() *File { return &File{stop: make(chan struct{})} }

// Put keeps a line.
func (f *File) Put(s string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lines = append(f.lines, s)
}

// Close ends it. It must be called exactly once, by whoever has opened the file; a second call
// is a mistake of the caller.
//
// Right: that is the contract, which the other type does not have.
func (f *File) Close() error {
	close(f.stop)
	return nil
}
