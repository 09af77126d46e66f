package idlereaper

import (
	"context"
	"net"
	"sync"
	"time"
)

type flow struct {
	conn net.Conn
	seen time.Time
}

type Pool struct {
	rw    sync.RWMutex
	flows map[string]*flow
	idle  time.Duration
}

func NewPool(ctx context.Context, idle time.Duration) *Pool {
	p := &Pool{flows: make(map[string]*flow), idle: idle}
	go func() {
		t := time.NewTicker(idle)
		defer t.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case now := <-t.C:
				p.reap(now.Add(-idle))
			}
		}
	}()
	return p
}

func (p *Pool) Add(key string, c net.Conn) {
	p.rw.Lock()
	defer p.rw.Unlock()
	if old, ok := p.flows[key]; ok {
		old.conn.Close()
	}
	p.flows[key] = &flow{conn: c, seen: time.Now()}
}

func (p *Pool) Write(key string, b []byte) (int, error) {
	p.rw.Lock()
	defer p.rw.Unlock()
	f, ok := p.flows[key]
	if !ok {
		return 0, net.ErrClosed
	}
	f.seen = time.Now()
	return f.conn.Write(b)
}

func (p *Pool) reap(limit time.Time) {
	var keys []string
	p.rw.RLock()
	for k, f := range p.flows {
		if f.seen.Before(limit) {
			keys = append(keys, k)
		}
	}
	p.rw.RUnlock()

	for _, k := range keys {
		p.rw.Lock()
		if f, ok := p.flows[k]; ok && f.seen.Before(limit) {
			delete(p.flows, k)
			f.conn.Close()
		}
		p.rw.Unlock()
	}
}
