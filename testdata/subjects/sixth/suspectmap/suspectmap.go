// Package suspectmap is the failure detector of a cluster member: peers renew
// their lease with every message, and are dropped when it runs out.
package suspectmap

import (
	"context"
	"log/slog"
	"sort"
	"sync"
	"time"
)

type lease struct {
	addr    string
	expires time.Time
	epoch   uint64
}

// Listener hears of members that come and go.
type Listener interface {
	MemberUp(name, addr string)
	MemberDown(name, addr string)
}

type ListenerFuncs struct {
	Up, Down func(name, addr string)
}

func (f ListenerFuncs) MemberUp(name, addr string) {
	if f.Up != nil {
		f.Up(name, addr)
	}
}

func (f ListenerFuncs) MemberDown(name, addr string) {
	if f.Down != nil {
		f.Down(name, addr)
	}
}

type Detector struct {
	ttl    time.Duration
	self   string
	notify Listener
	leases sync.Map // member name -> lease
}

func NewDetector(ctx context.Context, self string, ttl time.Duration, l Listener) *Detector {
	d := &Detector{ttl: ttl, self: self, notify: l}
	go d.loop(ctx)
	return d
}

func (d *Detector) loop(ctx context.Context) {
	t := time.NewTicker(d.ttl / 4)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-t.C:
			if n := d.reap(now); n > 0 {
				slog.Info("members lost", "count", n, "self", d.self)
			}
		}
	}
}

// Renew is called for every message that arrives from a member.
func (d *Detector) Renew(name, addr string, epoch uint64) {
	if name == d.self {
		return
	}
	l := lease{addr: addr, expires: time.Now().Add(d.ttl), epoch: epoch}
	if _, known := d.leases.Swap(name, l); !known {
		d.notify.MemberUp(name, addr)
	}
}

// Leave drops a member that says goodbye.
func (d *Detector) Leave(name string) {
	if v, ok := d.leases.LoadAndDelete(name); ok {
		d.notify.MemberDown(name, v.(lease).addr)
	}
}

func (d *Detector) reap(now time.Time) (lost int) {
	d.leases.Range(func(k, v any) bool {
		name, l := k.(string), v.(lease)
		left := l.expires.Sub(now)
		switch {
		case left > d.ttl/2:
			return true
		case left > 0:
			slog.Debug("member quiet", "name", name, "left", left)
			return true
		}
		d.leases.Delete(name)
		d.notify.MemberDown(name, l.addr)
		lost++
		return true
	})
	return lost
}

// Alive lists the members with a valid lease.
func (d *Detector) Alive() []string {
	now := time.Now()
	var names []string
	d.leases.Range(func(k, v any) bool {
		if now.Before(v.(lease).expires) {
			names = append(names, k.(string))
		}
		return true
	})
	sort.Strings(names)
	return names
}

// Addr resolves a member.
func (d *Detector) Addr(name string) (string, bool) {
	v, ok := d.leases.Load(name)
	if !ok {
		return "", false
	}
	return v.(lease).addr, true
}
