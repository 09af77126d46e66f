package sqlcreds

import (
	"context"
	"fmt"
	"net/url"
	"sync"
	"time"
)

type Vault interface {
	Lease(ctx context.Context, role string) (user, pass string, ttl time.Duration, err error)
}

type Creds struct {
	mu   sync.RWMutex
	user string
	pass string
}

func (c *Creds) User() string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.user
}

func (c *Creds) Password() string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.pass
}

func (c *Creds) rotate(user, pass string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.user, c.pass = user, pass
}

type Connector struct {
	creds Creds
	host  string
	vault Vault
}

func NewConnector(ctx context.Context, host string, v Vault) (*Connector, error) {
	c := &Connector{host: host, vault: v}
	user, pass, ttl, err := v.Lease(ctx, host)
	if err != nil {
		return nil, fmt.Errorf("sqlcreds: %w", err)
	}
	c.creds.rotate(user, pass)
	time.AfterFunc(ttl/2, func() { c.renew(ctx) })
	return c, nil
}

func (c *Connector) renew(ctx context.Context) {
	user, pass, ttl, err := c.vault.Lease(ctx, c.host)
	if err != nil {
		ttl = 10 * time.Second
	} else {
		c.creds.rotate(user, pass)
	}
	time.AfterFunc(ttl/2, func() { c.renew(ctx) })
}

func (c *Connector) DSN(db string) string {
	user := c.creds.User()
	pass := c.creds.Password()
	u := url.URL{Scheme: "postgres", User: url.UserPassword(user, pass), Host: c.host, Path: db}
	return u.String()
}
