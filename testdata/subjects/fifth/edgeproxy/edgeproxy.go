package edgeproxy

import (
	"errors"
	"log/slog"
	"net"
	"sync"
	"time"
)

var ErrNoUpstream = errors.New("edgeproxy: no idle upstream connection")

type slot struct {
	conn   net.Conn
	parked time.Time
	uses   int
}

// Upstreams parks a fixed number of idle connections to the origin.
type Upstreams struct {
	log *slog.Logger
	bye []byte

	mtx   sync.Mutex
	slots []slot
}

func NewUpstreams(n int, bye []byte, log *slog.Logger) *Upstreams {
	return &Upstreams{log: log, bye: bye, slots: make([]slot, n)}
}

func (u *Upstreams) freeLocked() (int, bool) {
	for i := range u.slots {
		if u.slots[i].conn == nil {
			return i, true
		}
	}
	return 0, false
}

func (u *Upstreams) oldestLocked() int {
	oldest := 0
	for i, s := range u.slots {
		if s.parked.Before(u.slots[oldest].parked) {
			oldest = i
		}
	}
	return oldest
}

// retireLocked empties the slot and says goodbye to the origin, which can take
// a round trip; u.mtx is held on entry and on return.
func (u *Upstreams) retireLocked(i int) {
	old := u.slots[i]
	u.slots[i] = slot{}
	u.mtx.Unlock()
	defer u.mtx.Lock()

	old.conn.SetDeadline(time.Now().Add(200 * time.Millisecond))
	if _, err := old.conn.Write(u.bye); err != nil {
		u.log.Debug("goodbye failed", "remote", old.conn.RemoteAddr(), "err", err)
	}
	old.conn.Close()
}

// Adopt parks a connection for reuse and retires the oldest one if all slots are taken.
func (u *Upstreams) Adopt(c net.Conn, uses int) {
	u.mtx.Lock()
	defer u.mtx.Unlock()
	i, ok := u.freeLocked()
	if !ok {
		i = u.oldestLocked()
		u.retireLocked(i)
	}
	u.slots[i] = slot{conn: c, parked: time.Now(), uses: uses}
}

// Borrow takes the connection parked last.
func (u *Upstreams) Borrow() (net.Conn, int, error) {
	u.mtx.Lock()
	defer u.mtx.Unlock()
	best := -1
	for i, s := range u.slots {
		if s.conn == nil {
			continue
		}
		if best < 0 || s.parked.After(u.slots[best].parked) {
			best = i
		}
	}
	if best < 0 {
		return nil, 0, ErrNoUpstream
	}
	s := u.slots[best]
	u.slots[best] = slot{}
	return s.conn, s.uses + 1, nil
}
