package broken

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

// SignedTransport signs what it sends.
type SignedTransport struct {
	Base http.RoundTripper
	User string

	mu  sync.Mutex
	key *bearer
}

func (t *SignedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := t.issueAnew(); err != nil {
		return nil, err
	}
	signed := req.Clone(req.Context())
	signed.Header.Set("Authorization", t.key.value) // want `t.key is read here after t.issueAnew has released t.mu, under which the t.issueAnew of another goroutine can store a new one meanwhile`
	return t.Base.RoundTrip(signed)
}

func (t *SignedTransport) issueAnew() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.key != nil && time.Now().Before(t.key.until) {
		return nil
	}
	key, err := issue(t.User)
	if err != nil {
		return err
	}
	t.key = key
	return nil
}
