package fine

import "sync/atomic"

// Visitors counts them.
type Visitors struct{ n atomic.Int64 }

// Next uses what Add returns.
func (v *Visitors) Next() int64 { return v.n.Add(1) }

// Come says how many there are by now, which is no number of its own.
func (v *Visitors) Come() int64 {
	v.n.Add(1)
	return v.n.Load()
}
