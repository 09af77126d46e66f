package hostlimits

import (
	"context"
	"net/http"
	"sync"
)

type slot chan struct{}

type Transport struct {
	Base  http.RoundTripper
	limit int
	hosts sync.Map // string -> slot
}

func Wrap(base http.RoundTripper, limit int) *Transport {
	if base == nil {
		base = http.DefaultTransport
	}
	return &Transport{Base: base, limit: limit}
}

func (t *Transport) slotFor(host string) slot {
	if v, ok := t.hosts.Load(host); ok {
		return v.(slot)
	}
	v, _ := t.hosts.LoadOrStore(host, make(slot, t.limit))
	return v.(slot)
}

func (s slot) enter(ctx context.Context) error {
	select {
	case s <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s slot) leave() { <-s }

func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	s := t.slotFor(req.URL.Host)
	if err := s.enter(req.Context()); err != nil {
		return nil, err
	}
	defer s.leave()
	return t.Base.RoundTrip(req)
}
