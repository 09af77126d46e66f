package main

import (
	"io"
	"sync"

	"github.com/desk/desk"
)

// hotel is handed to a package that calls its methods; its lock tells that several
// goroutines do.
type hotel struct {
	mu    sync.RWMutex
	rooms map[string]int
}

func (h *hotel) Arrives(name string) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if h.rooms[name] == 0 { // want `two goroutines can both pass the test of h.rooms\[name\] and both set it: h.mu is held for reading only, which others can do at the same time`
		h.rooms[name] = len(h.rooms)
	}
}

func (h *hotel) Leaves(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.rooms, name)
}

func opens() {
	desk.Open(&hotel{rooms: map[string]int{}})
}

// minutes is what one goroutine writes to.
type minutes struct {
	mu    sync.RWMutex
	lines map[string]int
}

func (m *minutes) Write(line []byte) (int, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.lines[string(line)] == 0 {
		m.lines[string(line)] = len(m.lines)
	}
	return len(line), nil
}

func (m *minutes) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.lines)
}

func writes() {
	m := &minutes{lines: map[string]int{}}
	io.WriteString(m, "begun")
	m.forget()
}
