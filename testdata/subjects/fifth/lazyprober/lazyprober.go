package lazyprober

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

type Option func(*Prober)

func Every(d time.Duration) Option { return func(p *Prober) { p.every = d } }

func WithClient(c *http.Client) Option { return func(p *Prober) { p.client = c } }

type result struct {
	at  time.Time
	err error
}

// Prober checks the health endpoints of backends, from the first question on.
type Prober struct {
	urls   []string
	every  time.Duration
	client *http.Client

	mu      sync.Mutex
	cancel  context.CancelFunc
	results map[string]result
}

func NewProber(urls []string, opts ...Option) *Prober {
	p := &Prober{
		urls:    urls,
		every:   5 * time.Second,
		client:  &http.Client{Timeout: time.Second},
		results: make(map[string]result),
	}
	for _, o := range opts {
		o(p)
	}
	return p
}

func (p *Prober) ensureStarted() {
	if p.cancel != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	go p.loop(ctx)
}

func (p *Prober) loop(ctx context.Context) {
	t := time.NewTicker(p.every)
	defer t.Stop()
	for {
		for _, u := range p.urls {
			err := p.probe(ctx, u)
			if ctx.Err() != nil {
				return
			}
			p.record(u, err)
		}
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
	}
}

func (p *Prober) probe(ctx context.Context, u string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u, nil)
	if err != nil {
		return err
	}
	resp, err := p.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", u, resp.Status)
	}
	return nil
}

func (p *Prober) record(u string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil && p.results[u].err == nil {
		slog.Warn("backend unhealthy", "url", u, "err", err)
	}
	p.results[u] = result{at: time.Now(), err: err}
}

// Healthy tells whether the last probe of the backend succeeded.
func (p *Prober) Healthy(u string) bool {
	p.ensureStarted()
	p.mu.Lock()
	defer p.mu.Unlock()
	r, ok := p.results[u]
	return !ok || r.err == nil
}

// Stop ends probing; the next question starts it again.
func (p *Prober) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cancel != nil {
		p.cancel()
		p.cancel = nil
	}
}
