package fine

import (
	"context"
	"io"
	"net/http"
	"net/rpc"
	"sync"
	"sync/atomic"
)

type peer struct{ id string }

// Storehouse is served by net/rpc, but for Join, which takes what is not exported.
type Storehouse struct {
	by    string
	ready chan struct{}
}

func (d *Storehouse) Ask(_ int, reply *string) error {
	<-d.ready
	*reply = d.by
	return nil
}

func (d *Storehouse) Join(by string, p *peer) error {
	d.by = by + p.id
	close(d.ready)
	return nil
}

func ServeStorehouse(by string) error {
	d := &Storehouse{ready: make(chan struct{})}
	if err := rpc.Register(d); err != nil {
		return err
	}
	return d.Join(by, &peer{"0"})
}

type PingRequest struct{}
type PingReply struct{ Name string }
type PingSettings struct{ Name string }

type PingServer interface {
	Ping(context.Context, *PingRequest) (*PingReply, error)
}

func RegisterPingServer(r func(any), s PingServer) { r(s) }

// Pinger has one method more than the service.
type Pinger struct {
	name  string
	ready chan struct{}
}

func (p *Pinger) Ping(context.Context, *PingRequest) (*PingReply, error) {
	<-p.ready
	return &PingReply{p.name}, nil
}

func (p *Pinger) Prepare(_ context.Context, s *PingSettings) error {
	p.name = s.Name
	close(p.ready)
	return nil
}

func RunPinger(ctx context.Context, r func(any), s *PingSettings) error {
	p := &Pinger{ready: make(chan struct{})}
	RegisterPingServer(r, p)
	return p.Prepare(ctx, s)
}

// TurnDesk serves one request after the other.
type TurnDesk struct {
	over  bool
	level atomic.Int64
	quit  chan struct{}
}

func (c *TurnDesk) Leave(_ int, reply *bool) error {
	if c.over {
		return nil
	}
	c.over = true
	close(c.quit)
	*reply = true
	return nil
}

func (c *TurnDesk) Raise(by int64, reply *int64) error {
	next := min(c.level.Load()+by, 100)
	c.level.Store(next)
	*reply = next
	return nil
}

func ServeTurnDesk(codec rpc.ServerCodec) error {
	server := rpc.NewServer()
	c := &TurnDesk{quit: make(chan struct{})}
	if err := server.RegisterName("TurnDesk", c); err != nil {
		return err
	}
	for {
		if err := server.ServeRequest(codec); err == io.EOF {
			return nil
		}
		select {
		case <-c.quit:
			return nil
		default:
		}
	}
}

var (
	keysMu   sync.Mutex
	doorKeys = map[string]bool{}
)

// spendKey takes the key away, so that it opens once.
func spendKey(key string) bool {
	keysMu.Lock()
	defer keysMu.Unlock()
	if !doorKeys[key] {
		return false
	}
	delete(doorKeys, key)
	return true
}

// Closer ends by the one request that comes with the key.
type Closer struct{ quit chan struct{} }

func (c *Closer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !spendKey(r.FormValue("key")) {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	close(c.quit)
}
