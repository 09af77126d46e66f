package nonces

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"sync"
	"time"
)

var ErrReplay = errors.New("nonce used before")

type mark struct{ until time.Time }

type Cache struct {
	seen sync.Map
	ttl  time.Duration
	key  []byte
}

func NewCache(ctx context.Context, key []byte, ttl time.Duration) *Cache {
	c := &Cache{ttl: ttl, key: key}
	go c.janitor(ctx)
	return c
}

func (c *Cache) Seen(nonce string) bool {
	fresh := &mark{until: time.Now().Add(c.ttl)}
	for {
		v, loaded := c.seen.LoadOrStore(nonce, fresh)
		if !loaded {
			return false
		}
		old := v.(*mark)
		if time.Now().Before(old.until) {
			return true
		}
		c.seen.CompareAndDelete(nonce, old)
	}
}

func (c *Cache) janitor(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-time.After(c.ttl):
			c.seen.Range(func(k, v any) bool {
				if now.After(v.(*mark).until) {
					c.seen.CompareAndDelete(k, v)
				}
				return true
			})
		}
	}
}

func (c *Cache) Verify(nonce string, body, sum []byte) error {
	h := hmac.New(sha256.New, c.key)
	h.Write([]byte(nonce))
	h.Write(body)
	if !hmac.Equal(h.Sum(nil), sum) {
		return errors.New("bad signature")
	}
	if c.Seen(nonce) {
		return ErrReplay
	}
	return nil
}
