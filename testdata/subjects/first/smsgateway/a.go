package smsgateway

import (
	"context"
	"fmt"
	"strings"
	"sync"
)

type Provider interface {
	Submit(ctx context.Context, to, text string) (id string, err error)
}

type Gateway struct {
	provider Provider
	maxLen   int
	prefixes []string

	mu   sync.Mutex
	sent map[string]string
	cost int
}

type Option func(*Gateway)

func WithMaxLen(n int) Option         { return func(g *Gateway) { g.maxLen = n } }
func WithPrefixes(p ...string) Option { return func(g *Gateway) { g.prefixes = p } }

func New(p Provider, opts ...Option) *Gateway {
	g := &Gateway{provider: p, maxLen: 160, sent: make(map[string]string)}
	for _, o := range opts {
		o(g)
	}
	return g
}

func (g *Gateway) allowed(to string) bool {
	for _, p := range g.prefixes {
		if strings.HasPrefix(to, p) {
			return true
		}
	}
	return len(g.prefixes) == 0
}

func (g *Gateway) Send(ctx context.Context, to, text string) (string, error) {
	if len(text) > g.maxLen || !g.allowed(to) {
		return "", fmt.Errorf("smsgateway: message to %s refused", to)
	}
	id, err := g.provider.Submit(ctx, to, text)
	if err != nil {
		return "", err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.sent[id] = to
	g.cost += 1 + len(text)/g.maxLen
	return id, nil
}

func (g *Gateway) Cost() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.cost
}
