package dnsresolver

import (
	"context"
	"net"
	"sync"
	"time"
)

type answer struct {
	ips []net.IP
	exp time.Time
}

type Resolver struct {
	rw    sync.RWMutex
	cache map[string]answer
	ttl   time.Duration
	up    *net.Resolver
}

func New(ttl time.Duration) *Resolver {
	return &Resolver{cache: make(map[string]answer), ttl: ttl, up: net.DefaultResolver}
}

func (r *Resolver) cached(host string) ([]net.IP, bool) {
	r.rw.RLock()
	a, ok := r.cache[host]
	if !ok {
		r.rw.RUnlock()
		return nil, false
	}
	if time.Now().After(a.exp) {
		r.rw.RUnlock()
		if r.rw.TryLock() {
			delete(r.cache, host)
			r.rw.Unlock()
		}
		return nil, false
	}
	r.rw.RUnlock()
	return a.ips, true
}

func (r *Resolver) Lookup(ctx context.Context, host string) ([]net.IP, error) {
	if ips, ok := r.cached(host); ok {
		return ips, nil
	}
	ips, err := r.up.LookupIP(ctx, "ip", host)
	if err != nil {
		return nil, err
	}
	r.rw.Lock()
	r.cache[host] = answer{ips: ips, exp: time.Now().Add(r.ttl)}
	r.rw.Unlock()
	return ips, nil
}
