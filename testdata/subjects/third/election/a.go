package election

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
)

var ErrNoLeader = errors.New("no leader")

type Sender interface {
	Send(ctx context.Context, node string, term uint64, body []byte) error
}

type View struct {
	observe sync.Mutex
	term    atomic.Uint64
	leader  atomic.Value
	out     Sender
}

func NewView(out Sender) *View {
	v := &View{out: out}
	v.leader.Store("")
	return v
}

// Observe takes in what a heartbeat says. Older terms are left aside.
func (v *View) Observe(term uint64, leader string) bool {
	v.observe.Lock()
	defer v.observe.Unlock()
	if term < v.term.Load() {
		return false
	}
	v.term.Store(term)
	v.leader.Store(leader)
	return true
}

func (v *View) Leader() (term uint64, node string) {
	term = v.term.Load()
	node = v.leader.Load().(string)
	return term, node
}

func (v *View) Propose(ctx context.Context, body []byte) error {
	term, node := v.Leader()
	if node == "" {
		return ErrNoLeader
	}
	if err := v.out.Send(ctx, node, term, body); err != nil {
		return fmt.Errorf("propose to %s in term %d: %w", node, term, err)
	}
	return nil
}
