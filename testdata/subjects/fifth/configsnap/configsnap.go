package configsnap

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

var ErrUnchanged = errors.New("configsnap: unchanged")

// Config is immutable once it is in use.
type Config struct {
	Version int               `json:"version"`
	Timeout time.Duration     `json:"timeout"`
	Headers map[string]string `json:"headers"`
	Deny    map[string]bool   `json:"deny"`
}

func (c *Config) clone() *Config {
	d := *c
	d.Headers = maps.Clone(c.Headers)
	d.Deny = maps.Clone(c.Deny)
	return &d
}

// Listener filters requests by a configuration that can change at any time.
type Listener struct {
	next http.Handler
	log  *slog.Logger

	writeMu sync.Mutex
	current atomic.Pointer[Config]
}

func New(next http.Handler, c Config, log *slog.Logger) *Listener {
	l := &Listener{next: next, log: log}
	l.current.Store(c.clone())
	return l
}

func (l *Listener) update(change func(*Config) error) error {
	l.writeMu.Lock()
	defer l.writeMu.Unlock()
	c := l.current.Load().clone()
	if err := change(c); err != nil {
		return err
	}
	c.Version++
	l.current.Store(c)
	l.log.Info("configuration changed", "version", c.Version)
	return nil
}

// Deny blocks a host.
func (l *Listener) Deny(host string) error {
	return l.update(func(c *Config) error {
		if c.Deny[host] {
			return ErrUnchanged
		}
		if c.Deny == nil {
			c.Deny = make(map[string]bool)
		}
		c.Deny[host] = true
		return nil
	})
}

// Merge applies a JSON document on top of the configuration in use.
func (l *Listener) Merge(r io.Reader) error {
	return l.update(func(c *Config) error {
		v := c.Version
		if err := json.NewDecoder(r).Decode(c); err != nil {
			return fmt.Errorf("decode configuration: %w", err)
		}
		if c.Timeout < 0 {
			return errors.New("configsnap: negative timeout")
		}
		c.Version = v
		return nil
	})
}

func (l *Listener) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := l.current.Load()
	if c.Deny[r.Host] {
		http.Error(w, "forbidden", http.StatusForbidden)
		return
	}
	for k, v := range c.Headers {
		w.Header().Set(k, v)
	}
	if c.Timeout > 0 {
		http.TimeoutHandler(l.next, c.Timeout, "timeout").ServeHTTP(w, r)
		return
	}
	l.next.ServeHTTP(w, r)
}
