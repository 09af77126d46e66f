// Package seqgen generates sequence numbers per stream, in blocks that are reserved ahead.
package seqgen

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
)

var ErrName = errors.New("seqgen: bad stream name")

// Reserver moves a stream's durable mark by n and returns the old one.
type Reserver interface {
	Reserve(ctx context.Context, stream string, n uint64) (from uint64, err error)
}

type stream struct {
	name string

	sync.Mutex
	next, limit uint64
	refills     int
}

func (s *stream) take(ctx context.Context, r Reserver, block uint64) (uint64, error) {
	s.Lock()
	defer s.Unlock()
	if s.next == s.limit {
		from, err := r.Reserve(ctx, s.name, block)
		if err != nil {
			return 0, fmt.Errorf("refill %s: %w", s.name, err)
		}
		s.next, s.limit = from, from+block
		s.refills++
	}
	n := s.next
	s.next++
	return n, nil
}

type Generator struct {
	reserver Reserver
	block    uint64
	log      *slog.Logger
	streams  sync.Map // string -> *stream
}

func New(r Reserver, block uint64, log *slog.Logger) *Generator {
	return &Generator{reserver: r, block: max(1, block), log: log}
}

func valid(name string) bool {
	if name == "" || len(name) > 64 {
		return false
	}
	for _, c := range name {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-':
		default:
			return false
		}
	}
	return true
}

func (g *Generator) stream(name string) (*stream, error) {
	if v, ok := g.streams.Load(name); ok {
		return v.(*stream), nil
	}
	if !valid(name) {
		return nil, fmt.Errorf("%w: %q", ErrName, name)
	}
	v, loaded := g.streams.LoadOrStore(name, &stream{name: name})
	if !loaded {
		g.log.Debug("new stream", "name", name)
	}
	return v.(*stream), nil
}

// Next returns the next number of a stream.
func (g *Generator) Next(ctx context.Context, name string) (uint64, error) {
	s, err := g.stream(name)
	if err != nil {
		return 0, err
	}
	return s.take(ctx, g.reserver, g.block)
}

// NextN returns n numbers, which need not follow each other.
func (g *Generator) NextN(ctx context.Context, name string, n int) ([]uint64, error) {
	s, err := g.stream(name)
	if err != nil {
		return nil, err
	}
	out := make([]uint64, 0, n)
	for range n {
		v, err := s.take(ctx, g.reserver, g.block)
		if err != nil {
			return out, err
		}
		out = append(out, v)
	}
	return out, nil
}

// Refills sums how often blocks were fetched.
func (g *Generator) Refills() (n int) {
	g.streams.Range(func(_, v any) bool {
		s := v.(*stream)
		s.Lock()
		defer s.Unlock()
		n += s.refills
		return true
	})
	return n
}
