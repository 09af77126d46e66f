package oauthsrc

import (
	"context"
	"errors"
	"sync"
	"time"
)

type Token struct {
	Access  string
	Refresh string
	Expiry  time.Time
}

func (t *Token) valid() bool {
	return t != nil && t.Access != "" && time.Now().Add(10*time.Second).Before(t.Expiry)
}

type Endpoint interface {
	Exchange(ctx context.Context, refresh string) (*Token, error)
}

type RefreshSource struct {
	ep  Endpoint
	ctx context.Context

	mu      sync.Mutex
	tok     *Token
	refresh string
}

func NewSource(ctx context.Context, ep Endpoint, refresh string) (*RefreshSource, error) {
	if refresh == "" {
		return nil, errors.New("oauth: no refresh token")
	}
	return &RefreshSource{ep: ep, ctx: ctx, refresh: refresh}, nil
}

func (s *RefreshSource) cached() *Token {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tok.valid() {
		return s.tok
	}
	return nil
}

func (s *RefreshSource) Token() (*Token, error) {
	if t := s.cached(); t != nil {
		return t, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t, err := s.ep.Exchange(s.ctx, s.refresh)
	if err != nil {
		return nil, err
	}
	if t.Refresh != "" {
		s.refresh = t.Refresh
	}
	s.tok = t
	return t, nil
}

func (s *RefreshSource) Invalidate() {
	s.mu.Lock()
	s.tok = nil
	s.mu.Unlock()
}
