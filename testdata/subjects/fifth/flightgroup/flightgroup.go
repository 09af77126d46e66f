package flightgroup

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

var ErrEmptyToken = errors.New("flightgroup: issuer returned an empty token")

type Token struct {
	Value   string
	Expires time.Time
}

func (t Token) fresh(now time.Time) bool { return t.Value != "" && now.Before(t.Expires) }

type Issuer interface {
	Issue(ctx context.Context, audience string) (Token, error)
}

type fetch struct {
	ready chan struct{}
	tok   Token
	err   error
}

// Tokens keeps service tokens per audience and fetches each one at most once at a time.
type Tokens struct {
	issuer Issuer
	early  time.Duration
	log    *slog.Logger

	mu      sync.Mutex
	cached  map[string]Token
	pending map[string]*fetch
}

func NewTokens(i Issuer, early time.Duration, log *slog.Logger) *Tokens {
	return &Tokens{
		issuer:  i,
		early:   early,
		log:     log,
		cached:  make(map[string]Token),
		pending: make(map[string]*fetch),
	}
}

func (t *Tokens) issue(audience string) (Token, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	tok, err := t.issuer.Issue(ctx, audience)
	if err != nil {
		return Token{}, fmt.Errorf("token for %s: %w", audience, err)
	}
	if tok.Value == "" {
		return Token{}, ErrEmptyToken
	}
	tok.Expires = tok.Expires.Add(-t.early)
	return tok, nil
}

// Token returns a valid token for the audience.
func (t *Tokens) Token(ctx context.Context, audience string) (Token, error) {
	t.mu.Lock()
	if tok := t.cached[audience]; tok.fresh(time.Now()) {
		t.mu.Unlock()
		return tok, nil
	}
	if f, ok := t.pending[audience]; ok {
		t.mu.Unlock()
		return t.join(ctx, f)
	}
	f := &fetch{ready: make(chan struct{})}
	t.pending[audience] = f
	t.mu.Unlock()

	f.tok, f.err = t.issue(audience)
	close(f.ready)

	t.mu.Lock()
	delete(t.pending, audience)
	if f.err == nil {
		t.cached[audience] = f.tok
	}
	t.mu.Unlock()
	if f.err != nil {
		t.log.Warn("token fetch failed", "audience", audience, "err", f.err)
	}
	return f.tok, f.err
}

func (t *Tokens) join(ctx context.Context, f *fetch) (Token, error) {
	select {
	case <-f.ready:
		return f.tok, f.err
	case <-ctx.Done():
		return Token{}, ctx.Err()
	}
}

// Client attaches the token of its audience to calls.
type Client struct {
	*Tokens
	Audience string
}

func (c Client) Authorize(ctx context.Context, set func(key, value string)) error {
	tok, err := c.Token(ctx, c.Audience)
	if err != nil {
		return err
	}
	set("authorization", "Bearer "+tok.Value)
	return nil
}
