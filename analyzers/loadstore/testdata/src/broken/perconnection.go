package broken

import "sync"

type numbers struct{ m sync.Map }

func (n *numbers) get(k string) int {
	v, _ := n.m.Load(k)
	i, _ := v.(int)
	return i
}

func (n *numbers) set(k string, v int) { n.m.Store(k, v) }

type Numbering struct{ last numbers }

// Next is called from one goroutine per connection.
func (n *Numbering) Next(k string) int {
	i := n.last.get(k) // want `two goroutines can both read n.last.m \(in n.last.get\) before either stores it`
	i++
	n.last.set(k, i)
	return i
}
