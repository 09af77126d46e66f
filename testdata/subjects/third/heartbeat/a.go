package heartbeat

import (
	"context"
	"sync"
	"time"
)

type Listener interface {
	NodeUp(name string)
	NodeDown(name string, silent time.Duration)
}

type Monitor struct {
	seen    sync.Map
	timeout time.Duration
	lst     Listener
}

func Watch(ctx context.Context, timeout time.Duration, l Listener) *Monitor {
	m := &Monitor{timeout: timeout, lst: l}
	go func() {
		t := time.NewTicker(timeout / 4)
		defer t.Stop()
		for {
			select {
			case now := <-t.C:
				m.sweep(now)
			case <-ctx.Done():
				return
			}
		}
	}()
	return m
}

func (m *Monitor) Beat(node string) {
	if _, known := m.seen.Swap(node, time.Now().UnixNano()); !known {
		m.lst.NodeUp(node)
	}
}

func (m *Monitor) sweep(now time.Time) (dead int) {
	m.seen.Range(func(key, value any) bool {
		silent := now.Sub(time.Unix(0, value.(int64)))
		if silent <= m.timeout {
			return true
		}
		m.seen.Delete(key)
		m.lst.NodeDown(key.(string), silent)
		dead++
		return true
	})
	return dead
}

func (m *Monitor) Alive(node string) bool {
	v, ok := m.seen.Load(node)
	return ok && time.Since(time.Unix(0, v.(int64))) <= m.timeout
}
