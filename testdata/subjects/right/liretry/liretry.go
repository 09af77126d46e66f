// Package liretry tries again, a few times; the count is atomic for those who show it.
package liretry

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

var errFatal = errors.New("liretry: fatal")

// A Link is kept up by a goroutine of its own.
type Link struct {
	dial  func(context.Context) error
	most  int64
	tries atomic.Int64 // changed by the goroutine alone
	gone  chan struct{}
}

// New starts it.
func New(ctx context.Context, most int64, dial func(context.Context) error) *Link {
	l := &Link{dial: dial, most: most, gone: make(chan struct{})}
	go l.keep(ctx)
	return l
}

func (l *Link) keep(ctx context.Context) {
	defer close(l.gone)
	for l.again(ctx) {
		time.Sleep(time.Second)
	}
}

func (l *Link) again(ctx context.Context) bool {
	err := l.dial(ctx)
	if err == nil {
		if l.tries.Load() > 0 {
			l.tries.Add(-1)
		}
		return true
	}
	if l.tries.Load() >= l.most {
		return false
	}
	if errors.Is(err, errFatal) {
		return false
	}
	l.tries.Add(1)
	return true
}

// Tries is how many were in vain of late.
func (l *Link) Tries() int64 { return l.tries.Load() }

// Gone is closed when it is given up.
func (l *Link) Gone() <-chan struct{} { return l.gone }
