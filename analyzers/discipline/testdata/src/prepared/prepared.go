// Package prepared accesses atomic variables plainly where nobody else can be,
// and where somebody can.
package prepared

import (
	"fmt"
	"sync"
	"sync/atomic"
)

type Log struct {
	mu   sync.Mutex
	last uint32
	refs int32
}

func Open(n uint32) *Log {
	l := &Log{}
	go func() { l.Watch() }()
	l.scan(n)
	return l
}

// scan runs before Open returns.
func (l *Log) scan(n uint32) {
	for i := range n {
		if l.last < i {
			l.last = i
		}
	}
}

func (l *Log) Watch() uint32 { return atomic.LoadUint32(&l.last) }

func (l *Log) Next() uint32 { return atomic.AddUint32(&l.last, 1) }

func (l *Log) Ref() int32 { return atomic.AddInt32(&l.refs, 1) }

// reset makes the object ready for its next use.
func (l *Log) reset() { l.refs = 0 }

func (l *Log) Reuse() { l.reset() }

// String is for people.
func (l *Log) String() string { return fmt.Sprint(l.last, l.refs) }

// Skip is for anybody.
func (l *Log) Skip() {
	l.last += 2 // want `l.last is accessed without sync/atomic here`
}
