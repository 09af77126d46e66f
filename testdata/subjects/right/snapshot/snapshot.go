// Package snapshot gives out copies of its status.
package snapshot

import (
	"sync"
	"time"
)

// Status is a value: each caller of Get has one of its own.
type Status struct {
	name  string
	since time.Time
	peers []string
}

// Name is the name. Right: who has a Status has a copy; the one that is written under the lock
// is in an unexported field that never leaves the Holder.
func (s *Status) Name() string { return s.name }

// Since is the time.
func (s *Status) Since() time.Time { return s.since }

// Alone says whether there is nobody else.
func (s *Status) Alone() bool {
	if s.name == "" {
		return false
	}
	return len(s.peers) == 0
}

// Holder has the one that changes.
type Holder struct {
	mu  sync.Mutex
	cur Status
}

// Rename writes it.
func (h *Holder) Rename(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.cur.name == name {
		return
	}
	h.cur.name = name
	h.cur.since = time.Now()
}

// Get copies it.
func (h *Holder) Get() *Status {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := h.cur
	c.peers = append([]string(nil), c.peers...)
	return &c
}

// Label reads it.
func (h *Holder) Label() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.cur.name + " since " + h.cur.since.String()
}
