package broken

import "sync/atomic"

// A skipNode is one element of a skipIndex.
type skipNode struct {
	key  int
	dead atomic.Bool
	next atomic.Pointer[skipNode]
}

func (n *skipNode) gone() bool { return n.dead.Load() }

func (n *skipNode) bury() { n.dead.Store(true) }

func (n *skipNode) after() *skipNode { return n.next.Load() }

// A SkipIndex has its nodes in a list without locks.
type SkipIndex struct {
	head atomic.Pointer[skipNode]
	live atomic.Int64
}

func (x *SkipIndex) Add(key int) {
	n := &skipNode{key: key}
	for {
		first := x.head.Load()
		n.next.Store(first)
		if x.head.CompareAndSwap(first, n) {
			x.live.Add(1)
			return
		}
	}
}

func (x *SkipIndex) Len() int64 { return x.live.Load() }

// Remove counts a node down twice where two remove it at the same time.
func (x *SkipIndex) Remove(key int) {
	for n := x.head.Load(); n != nil; n = n.after() {
		if n.key == key {
			if !n.gone() { // want `two goroutines can both pass the test of n\.dead`
				n.bury()
				x.live.Add(-1)
			}
			return
		}
	}
}
