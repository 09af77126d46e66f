// Package trees has a container without a lock of its own.
package trees

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
