package fine

import (
	"net/http"
	"sync"
	"time"
)

type bearer struct {
	value string
	until time.Time
}

func issue(user string) (*bearer, error) {
	return &bearer{user, time.Now().Add(time.Hour)}, nil
}

// SignedTransport takes what the method returns.
type SignedTransport struct {
	Base http.RoundTripper
	User string

	mu  sync.Mutex
	key *bearer
}

func (t *SignedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	key, err := t.issueAnew()
	if err != nil {
		return nil, err
	}
	signed := req.Clone(req.Context())
	signed.Header.Set("Authorization", key.value)
	return t.Base.RoundTrip(signed)
}

func (t *SignedTransport) issueAnew() (*bearer, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.key != nil && time.Now().Before(t.key.until) {
		return t.key, nil
	}
	key, err := issue(t.User)
	if err != nil {
		return nil, err
	}
	t.key = key
	return key, nil
}

// LazyTransport finds its key set, if at all, once and for all.
type LazyTransport struct {
	Base http.RoundTripper
	User string

	mu  sync.Mutex
	key *bearer
}

func (t *LazyTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := t.fill(); err != nil {
		return nil, err
	}
	signed := req.Clone(req.Context())
	signed.Header.Set("Authorization", t.key.value)
	return t.Base.RoundTrip(signed)
}

func (t *LazyTransport) fill() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.key != nil {
		return nil
	}
	key, err := issue(t.User)
	if err != nil {
		return err
	}
	t.key = key
	return nil
}
