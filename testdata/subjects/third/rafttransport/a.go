package rafttransport

import (
	"context"
	"log/slog"
	"sync"
)

type Entry struct {
	Term, Index uint64
	Data        []byte
}

type Stream interface {
	Send(ctx context.Context, batch []Entry) error
}

type Peer struct {
	id     string
	stream Stream
	wake   chan struct{}

	mu      sync.Mutex
	pending []Entry
}

func NewPeer(ctx context.Context, id string, s Stream) *Peer {
	p := &Peer{id: id, stream: s, wake: make(chan struct{}, 1)}
	go p.sendLoop(ctx)
	return p
}

func (p *Peer) signal() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

func (p *Peer) Enqueue(e Entry) {
	p.signal()
	p.mu.Lock()
	p.pending = append(p.pending, e)
	p.mu.Unlock()
}

func (p *Peer) take() []Entry {
	p.mu.Lock()
	defer p.mu.Unlock()
	batch := p.pending
	p.pending = nil
	return batch
}

func (p *Peer) sendLoop(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.wake:
		}
		batch := p.take()
		if len(batch) == 0 {
			continue
		}
		if err := p.stream.Send(ctx, batch); err != nil {
			slog.Error("raft send", "peer", p.id, "err", err)
		}
	}
}
