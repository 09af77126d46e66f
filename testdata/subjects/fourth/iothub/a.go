package iothub

import (
	"context"
	"sync/atomic"
	"time"
)

type Device struct {
	ID       string
	lastSeen atomic.Int64
	down     atomic.Bool
	quit     chan struct{}
	commands chan string
}

func Attach(ctx context.Context, id string, idle time.Duration) *Device {
	d := &Device{ID: id, quit: make(chan struct{}), commands: make(chan string, 8)}
	d.Touch()
	go d.watchdog(ctx, idle)
	return d
}

func (d *Device) Touch() { d.lastSeen.Store(time.Now().UnixNano()) }

func (d *Device) watchdog(ctx context.Context, idle time.Duration) {
	t := time.NewTicker(idle / 4)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			if time.Since(time.Unix(0, d.lastSeen.Load())) > idle {
				d.Shutdown()
				return
			}
		case <-ctx.Done():
			d.Shutdown()
			return
		case <-d.quit:
			return
		}
	}
}

// Shutdown may be called any number of times.
func (d *Device) Shutdown() {
	if !d.down.Load() {
		d.down.Store(true)
		close(d.quit)
	}
}

func (d *Device) Command(c string) bool {
	select {
	case d.commands <- c:
		return true
	case <-d.quit:
		return false
	}
}
