package relaypeer

import (
	"fmt"
	"net"
	"sync"
)

type Relay struct {
	peerMu sync.Mutex
	peers  map[string]net.Addr

	routeMu sync.Mutex
	routes  map[string]string
}

func New() *Relay {
	return &Relay{peers: map[string]net.Addr{}, routes: map[string]string{}}
}

func (r *Relay) AddPeer(id string, a net.Addr) {
	r.peerMu.Lock()
	r.peers[id] = a
	r.peerMu.Unlock()
}

func (r *Relay) AddRoute(prefix, peer string) {
	r.routeMu.Lock()
	r.routes[prefix] = peer
	r.routeMu.Unlock()
}

func (r *Relay) Route(prefix string) (net.Addr, error) {
	r.routeMu.Lock()
	id, ok := r.routes[prefix]
	r.routeMu.Unlock()
	if !ok {
		return nil, fmt.Errorf("no route for %s", prefix)
	}
	r.peerMu.Lock()
	defer r.peerMu.Unlock()
	a, ok := r.peers[id]
	if !ok {
		return nil, fmt.Errorf("peer %s is gone", id)
	}
	return a, nil
}

func (r *Relay) Rename(from, to string) bool {
	r.peerMu.Lock()
	defer r.peerMu.Unlock()
	id, ok := r.routes[from]
	if !ok {
		return false
	}
	delete(r.routes, from)
	r.routes[to] = id
	return true
}
