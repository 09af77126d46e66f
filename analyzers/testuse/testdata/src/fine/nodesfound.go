package fine

import "sync/atomic"

// A ropeNode is one element of a RopeIndex.
type ropeNode struct {
	key  int
	dead atomic.Bool
	next atomic.Pointer[ropeNode]
}

func (n *ropeNode) gone() bool { return n.dead.Load() }

func (n *ropeNode) bury() { n.dead.Store(true) }

func (n *ropeNode) after() *ropeNode { return n.next.Load() }

// A RopeIndex has its nodes in a list without locks.
type RopeIndex struct {
	head atomic.Pointer[ropeNode]
	live atomic.Int64
}

// Remove lets one of several go on.
func (x *RopeIndex) Remove(key int) {
	for n := x.head.Load(); n != nil; n = n.after() {
		if n.key == key {
			if !n.gone() && n.dead.CompareAndSwap(false, true) {
				x.live.Add(-1)
			}
			return
		}
	}
}

// Forget marks a node that nobody else has: it is a copy.
func (x *RopeIndex) Forget(key int) bool {
	n := &ropeNode{key: key}
	if !n.gone() {
		n.bury()
		x.live.Add(-1)
	}
	return n.gone()
}
