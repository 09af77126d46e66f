// Package trees has containers without locks of their own, and one with.
package trees

import "sync"

// Map is an ordered map.
type Map struct{ of map[string]any }

// New is an empty one.
func New() *Map { return &Map{of: map[string]any{}} }

// Get looks up.
func (m *Map) Get(k string) (any, bool) {
	v, ok := m.of[k]
	return v, ok
}

// Put puts in.
func (m *Map) Put(k string, v any) { m.of[k] = v }

// Delete takes out.
func (m *Map) Delete(k string) { delete(m.of, k) }

// Len counts.
func (m *Map) Len() int { return len(m.of) }

// Locked is for several goroutines.
type Locked struct {
	mu sync.Mutex
	of map[string]any
}

// Get looks up.
func (m *Locked) Get(k string) (any, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.of[k]
	return v, ok
}

// Put puts in.
func (m *Locked) Put(k string, v any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.of[k] = v
}

// Delete takes out.
func (m *Locked) Delete(k string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.of, k)
}

// Client keeps what it is given with somebody else.
type Client struct{ addr string }

// Get asks.
func (c *Client) Get(k string) (any, error) { return nil, nil }

// Put tells.
func (c *Client) Put(k string, v any) error { return nil }

// Delete tells.
func (c *Client) Delete(k string) error { return nil }
