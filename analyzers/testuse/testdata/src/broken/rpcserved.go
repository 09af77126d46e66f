package broken

import (
	"context"
	"net/http"
	"net/rpc"
	"sync"
)

type PeerInfo struct{ ID string }

// Storehouse is served by net/rpc as a whole.
type Storehouse struct {
	by    string
	ready chan struct{}
}

func (d *Storehouse) Join(p *PeerInfo, reply *bool) error {
	d.by = p.ID
	close(d.ready) // want `d.ready is closed without a look whether it is closed already, on each request`
	return nil
}

func ServeStorehouse() error {
	return rpc.RegisterName("Storehouse", &Storehouse{ready: make(chan struct{})})
}

type PingRequest struct{}
type PingReply struct{ Name string }

type PingServer interface {
	Ping(context.Context, *PingRequest) (*PingReply, error)
	End(context.Context, *PingRequest) (*PingReply, error)
}

func RegisterPingServer(r func(any), s PingServer) { r(s) }

type Pinger struct{ quit chan struct{} }

func (p *Pinger) Ping(context.Context, *PingRequest) (*PingReply, error) { return nil, nil }

func (p *Pinger) End(context.Context, *PingRequest) (*PingReply, error) {
	close(p.quit) // want `p.quit is closed without a look whether it is closed already, on each request`
	return &PingReply{}, nil
}

func RunPinger(r func(any)) { RegisterPingServer(r, &Pinger{quit: make(chan struct{})}) }

// TurnDesk has a server that serves each connection in a goroutine.
type TurnDesk struct{ quit chan struct{} }

func (c *TurnDesk) Leave(_ int, reply *bool) error {
	close(c.quit) // want `c.quit is closed without a look whether it is closed already, on each request`
	return nil
}

func ServeTurnDesk(codecs <-chan rpc.ServerCodec) error {
	server := rpc.NewServer()
	if err := server.Register(&TurnDesk{quit: make(chan struct{})}); err != nil {
		return err
	}
	for codec := range codecs {
		go func() {
			for server.ServeRequest(codec) == nil {
			}
		}()
	}
	return nil
}

var doorKeys sync.Map

// knowsKey looks at the key, and leaves it.
func knowsKey(key string) bool {
	_, ok := doorKeys.Load(key)
	return ok
}

type Closer struct{ quit chan struct{} }

func (c *Closer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !knowsKey(r.FormValue("key")) {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	close(c.quit) // want `c.quit is closed without a look whether it is closed already, on each request`
}
