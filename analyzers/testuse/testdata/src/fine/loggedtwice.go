package fine

import (
	"sync/atomic"
	"time"
)

// A Logger writes lines for people.
type Logger interface {
	Warnf(format string, args ...any)
}

// A Gate says now and then that it is full, perhaps twice.
type Gate struct {
	log  Logger
	said atomic.Int64
	room chan struct{}
}

func (g *Gate) Enter() bool {
	select {
	case g.room <- struct{}{}:
		return true
	default:
		now := time.Now().UnixNano()
		if last := g.said.Load(); last == 0 || now-last > int64(time.Minute) {
			g.log.Warnf("full since %d", last)
			g.said.Store(now)
		}
		return false
	}
}

// A Feed ends when the other side has failed.
type Feed struct {
	next   func() (string, error)
	log    Logger
	closed atomic.Bool
}

func (f *Feed) Receive() (string, bool) {
	if f.closed.Load() {
		return "", false
	}
	line, err := f.next()
	if err != nil {
		f.closed.Store(true)
		f.tell(err)
		return "", false
	}
	return line, true
}

func (f *Feed) tell(err error) { f.log.Warnf("ended: %v", err) }
