package fine

import "sync/atomic"

// Mirror asks itself in circles.
type Mirror struct {
	set  atomic.Bool
	seen []int
	n    int
}

func (m *Mirror) a() bool { return m.b() }
func (m *Mirror) b() bool { return m.a() }

func (m *Mirror) Look() int {
	if m.a() {
		return m.n
	}
	return 0
}

func (m *Mirror) Set(n int) {
	m.set.Store(true)
	m.n = n
}

// Grow copies what it has made of itself.
func (m *Mirror) Grow(all *atomic.Pointer[[]int], n int) {
	var list []int
	for range n {
		list = append(list, n)
	}
	if all.Load() == nil {
		return
	}
	all.Store(&list)
}
