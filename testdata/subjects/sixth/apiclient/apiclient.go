// Package apiclient spreads requests over several API hosts and benches the bad ones.
package apiclient

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"sync"
	"time"
)

var ErrNoHost = errors.New("apiclient: no host available")

type hostState struct {
	failures  int
	successes int
	benched   time.Time
	lastErr   error
}

func (h hostState) available(now time.Time) bool { return now.After(h.benched) }

type Config struct {
	Hosts     []string
	Threshold int
	Bench     time.Duration
	HTTP      *http.Client
}

type Client struct {
	cfg Config

	stateMu sync.Mutex
	states  map[string]hostState
	turn    int
}

func New(cfg Config) *Client {
	if cfg.HTTP == nil {
		cfg.HTTP = &http.Client{Timeout: 10 * time.Second}
	}
	c := &Client{cfg: cfg, states: make(map[string]hostState, len(cfg.Hosts))}
	for _, h := range cfg.Hosts {
		c.states[h] = hostState{}
	}
	return c
}

// Get fetches path from the first host that answers.
func (c *Client) Get(ctx context.Context, path string) ([]byte, error) {
	var errs []error
	for range c.cfg.Hosts {
		host, err := c.pick()
		if err != nil {
			errs = append(errs, err)
			break
		}
		body, err := c.do(ctx, host, path)
		c.report(host, err)
		if err == nil {
			return body, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		errs = append(errs, fmt.Errorf("%s: %w", host, err))
	}
	return nil, errors.Join(errs...)
}

func (c *Client) pick() (string, error) {
	now := time.Now()
	c.stateMu.Lock()
	defer c.stateMu.Unlock()
	for range c.cfg.Hosts {
		h := c.cfg.Hosts[c.turn%len(c.cfg.Hosts)]
		c.turn++
		if c.states[h].available(now) {
			return h, nil
		}
	}
	return "", ErrNoHost
}

// State returns what is known of host.
func (c *Client) state(host string) hostState {
	c.stateMu.Lock()
	defer c.stateMu.Unlock()
	return c.states[host]
}

func (c *Client) report(host string, err error) {
	st := c.state(host)
	switch {
	case err == nil:
		st.failures = 0
		st.successes++
		st.lastErr = nil
	case errors.Is(err, context.Canceled):
		return
	default:
		st.failures++
		st.lastErr = err
		if st.failures >= c.cfg.Threshold {
			st.benched = time.Now().Add(c.cfg.Bench)
			st.failures = 0
			log.Printf("apiclient: benching %s for %v: %v", host, c.cfg.Bench, err)
		}
	}
	c.stateMu.Lock()
	c.states[host] = st
	c.stateMu.Unlock()
}

func (c *Client) do(ctx context.Context, host, path string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://"+host+path, nil)
	if err != nil {
		return nil, err
	}
	resp, err := c.cfg.HTTP.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("status %s", resp.Status)
	}
	return io.ReadAll(io.LimitReader(resp.Body, 8<<20))
}
