package fine

import (
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
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

// Layout is made by the first one that needs it.
type Layout struct {
	mu      sync.Mutex
	made    int32
	columns []string
}

func (l *Layout) Columns(names []string) string {
	if atomic.LoadInt32(&l.made) == 0 {
		l.arrange(names)
	}
	return strings.Join(l.columns, " ")
}

func (l *Layout) arrange(names []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.made != 0 {
		return
	}
	l.columns = nil
	for _, name := range names {
		l.columns = append(l.columns, strings.ToUpper(name))
	}
	atomic.StoreInt32(&l.made, 1)
}
