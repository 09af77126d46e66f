package leaderwait

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// Gate lets requests wait until the cluster has a leader.
type Gate struct {
	log *slog.Logger

	m       sync.Mutex
	leader  string
	term    uint64
	waiters map[uint64]chan string
	lastKey uint64
}

func NewGate(log *slog.Logger) *Gate {
	return &Gate{log: log, waiters: make(map[uint64]chan string)}
}

// Leader returns the leader's address, or "" during an election.
func (g *Gate) Leader() string {
	g.m.Lock()
	defer g.m.Unlock()
	return g.leader
}

func (g *Gate) register() (uint64, <-chan string) {
	ch := make(chan string, 1)
	g.m.Lock()
	defer g.m.Unlock()
	g.lastKey++
	g.waiters[g.lastKey] = ch
	return g.lastKey, ch
}

func (g *Gate) unregister(key uint64) {
	g.m.Lock()
	delete(g.waiters, key)
	g.m.Unlock()
}

// SetLeader is called by the election with its outcome; older terms are ignored.
func (g *Gate) SetLeader(addr string, term uint64) {
	g.m.Lock()
	defer g.m.Unlock()
	if term <= g.term {
		return
	}
	g.term, g.leader = term, addr
	g.log.Info("leader elected", "addr", addr, "term", term, "waiting", len(g.waiters))
	for key, ch := range g.waiters {
		ch <- addr
		delete(g.waiters, key)
	}
}

// Lost is called when the leader's lease ran out.
func (g *Gate) Lost(term uint64) {
	g.m.Lock()
	defer g.m.Unlock()
	if g.term == term {
		g.leader = ""
	}
}

// Wait returns the leader's address as soon as there is one.
func (g *Gate) Wait(ctx context.Context) (string, error) {
	if addr := g.Leader(); addr != "" {
		return addr, nil
	}
	begin := time.Now()
	key, ch := g.register()
	defer g.unregister(key)
	select {
	case addr := <-ch:
		g.log.Debug("leader found", "addr", addr, "after", time.Since(begin))
		return addr, nil
	case <-ctx.Done():
		return "", fmt.Errorf("no leader after %s: %w", time.Since(begin).Round(time.Millisecond), ctx.Err())
	}
}

// Forward runs the call against the leader and waits for one if necessary.
func (g *Gate) Forward(ctx context.Context, call func(ctx context.Context, addr string) error) error {
	addr, err := g.Wait(ctx)
	if err != nil {
		return err
	}
	return call(ctx, addr)
}
