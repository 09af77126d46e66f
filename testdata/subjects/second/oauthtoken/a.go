package oauthtoken

import (
	"context"
	"fmt"
	"sync"
	"time"
)

type Token struct {
	Access  string
	Refresh string
	Expiry  time.Time
}

func (t *Token) valid() bool {
	return t != nil && time.Until(t.Expiry) > 10*time.Second
}

type Exchanger interface {
	Exchange(ctx context.Context, refresh string) (*Token, error)
}

type Source struct {
	ex Exchanger

	mu  sync.RWMutex
	tok *Token
}

func NewSource(ex Exchanger, initial *Token) *Source {
	return &Source{ex: ex, tok: initial}
}

func (s *Source) peek() (*Token, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.tok, s.tok.valid()
}

func (s *Source) Token(ctx context.Context) (*Token, error) {
	if t, ok := s.peek(); ok {
		return t, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	nt, err := s.ex.Exchange(ctx, s.tok.Refresh)
	if err != nil {
		return nil, fmt.Errorf("refresh: %w", err)
	}
	s.tok = nt
	return nt, nil
}
