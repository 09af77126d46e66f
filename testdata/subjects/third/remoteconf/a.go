package remoteconf

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"
)

type config struct {
	Version int `json:"version"`
	Soft    int `json:"soft"`
	Hard    int `json:"hard"`
}

type Client struct {
	url string
	cur atomic.Pointer[config]
	bad atomic.Int32
}

func New(ctx context.Context, url string, every time.Duration) *Client {
	c := &Client{url: url}
	c.cur.Store(&config{Soft: 10, Hard: 100})
	go c.poll(ctx, every)
	return c
}

func (c *Client) fetch(ctx context.Context) (*config, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	cfg := new(config)
	if err := json.NewDecoder(resp.Body).Decode(cfg); err != nil {
		return nil, err
	}
	if cfg.Soft > cfg.Hard {
		return nil, fmt.Errorf("config %d: soft %d > hard %d", cfg.Version, cfg.Soft, cfg.Hard)
	}
	return cfg, nil
}

func (c *Client) poll(ctx context.Context, every time.Duration) {
	for ctx.Err() == nil {
		if cfg, err := c.fetch(ctx); err != nil {
			c.bad.Add(1)
		} else if cfg.Version > c.cur.Load().Version {
			c.cur.Store(cfg)
		}
		time.Sleep(every)
	}
}

func (c *Client) Limits() (soft, hard int) {
	cfg := c.cur.Load()
	soft = cfg.Soft
	hard = cfg.Hard
	return soft, hard
}
