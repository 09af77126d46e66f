// Package doubt has sections that are reported on request alone, with the reason
// for doubt.
package doubt

import (
	"sync"
	"sync/atomic"
)

type Node struct {
	mu     sync.Mutex
	bucket atomic.Pointer[Node]
	pred   *Node
	open   []int
	last   *Node
}

// Init looks again when its own bucket has come too late.
func (n *Node) Init() *Node {
	if b := n.bucket.Load(); b != nil {
		return b
	}
	if n.pred != nil {
		b := &Node{}
		if n.bucket.CompareAndSwap(nil, b) {
			return b
		}
	}
	return n.bucket.Load()
}

func (n *Node) Drop() { n.bucket.Store(nil) }

func (n *Node) Last() *Node {
	if n.bucket.Load() != nil { // want `after it was tested and before it is used: two atomic operations are not one$`
		return n.bucket.Load().last
	}
	return nil
}

func (n *Node) Bucket() *Node {
	if n.bucket.Load() != nil { // want `after it was tested and before it is used: .* \(doubtful: the variable is only read again\)`
		return n.bucket.Load()
	}
	return n
}

func (n *Node) Fill(with []int) {
	n.mu.Lock()
	count := len(n.open) // want `both pass the test of n.open and both set it: n.mu is released in between \(doubtful: a comment says that it is known\)`
	n.mu.Unlock()
	if count > 0 {
		return
	}
	// Both may come here, which is harmless.
	n.mu.Lock()
	n.open = with
	n.mu.Unlock()
}

// Next is what each gets from the channel, which is not the same twice.
func (n *Node) Next(all chan *Node) {
	for next := range all {
		n.mu.Lock()
		last := n.last // want `both pass the test of n.last and both set it: n.mu is released in between$`
		n.mu.Unlock()
		if last != nil {
			continue
		}
		n.mu.Lock()
		n.last = next
		n.mu.Unlock()
	}
}
