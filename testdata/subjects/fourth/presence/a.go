package presence

import (
	"context"
	"errors"
	"time"
)

var errStopped = errors.New("presence: stopped")

type Tracker struct {
	ops    chan func(*state)
	ctx    context.Context
	cancel context.CancelFunc
}

type state struct {
	seen  map[string]time.Time
	joins int
}

func NewTracker(ttl time.Duration) *Tracker {
	ctx, cancel := context.WithCancel(context.Background())
	t := &Tracker{ops: make(chan func(*state)), ctx: ctx, cancel: cancel}
	go t.loop(ttl)
	return t
}

func (t *Tracker) loop(ttl time.Duration) {
	st := &state{seen: make(map[string]time.Time)}
	tick := time.NewTicker(ttl)
	defer tick.Stop()
	for {
		select {
		case op := <-t.ops:
			op(st)
		case now := <-tick.C:
			for u, at := range st.seen {
				if now.Sub(at) > ttl {
					delete(st.seen, u)
				}
			}
		case <-t.ctx.Done():
			return
		}
	}
}

func (t *Tracker) Beat(user string) error {
	op := func(st *state) {
		if _, ok := st.seen[user]; !ok {
			st.joins++
		}
		st.seen[user] = time.Now()
	}
	select {
	case t.ops <- op:
		return nil
	case <-t.ctx.Done():
		return errStopped
	}
}

func (t *Tracker) Stop() { t.cancel() }
