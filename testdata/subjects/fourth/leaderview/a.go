package leaderview

import (
	"context"
	"errors"
	"sync/atomic"
)

type Announcement struct {
	Epoch  uint64
	Leader string
}

type Transport interface {
	Send(ctx context.Context, node string, epoch uint64, body []byte) error
}

type View struct {
	epoch  atomic.Uint64
	leader atomic.Value
	tr     Transport
}

func NewView(tr Transport) *View {
	v := &View{tr: tr}
	v.leader.Store("")
	return v
}

func (v *View) Watch(ctx context.Context, in <-chan Announcement) {
	go func() {
		for {
			select {
			case a := <-in:
				v.Observe(a)
			case <-ctx.Done():
				return
			}
		}
	}()
}

func (v *View) Observe(a Announcement) {
	v.epoch.Store(a.Epoch)
	v.leader.Store(a.Leader)
}

func (v *View) Propose(ctx context.Context, body []byte) error {
	to := v.leader.Load().(string)
	if to == "" {
		return errors.New("no leader")
	}
	return v.tr.Send(ctx, to, v.epoch.Load(), body)
}
