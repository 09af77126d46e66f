package broken

import (
	"context"
	"time"
)

// A duePacket is sent after a while, by the first that finds it due.
type duePacket struct {
	cancel chan struct{}
	id     string
}

type Depots struct {
	out chan *duePacket
}

func (p *Depots) Take(id string) {
	x := &duePacket{cancel: make(chan struct{}), id: id}
	p.atLatest(x)
	if id != "" {
		p.soon(x)
	}
}

func (p *Depots) atLatest(x *duePacket) { go p.pause(time.Minute, x) }

func (p *Depots) soon(x *duePacket) { go p.pause(time.Second, x) }

func (p *Depots) pause(d time.Duration, x *duePacket) {
	select {
	case <-time.After(d):
		close(x.cancel)
		p.out <- x
	case <-x.cancel: // want `two goroutines can both close x.cancel: a select that finds both arms ready takes either`
	}
}

type Sentinel struct {
	gone chan struct{}
}

func (g *Sentinel) Await(ctx context.Context) {
	select {
	case <-g.gone: // want `two goroutines can both close g.gone`
	case <-ctx.Done():
		close(g.gone)
	}
}
