package primarypair

import (
	"context"
	"sync/atomic"
	"time"
)

type view struct {
	host  string
	epoch uint64
}

type Watcher interface {
	Next(ctx context.Context) (host string, epoch uint64, err error)
}

type Cluster struct {
	cur atomic.Pointer[view]
	w   Watcher
}

func Join(ctx context.Context, w Watcher) (*Cluster, error) {
	host, epoch, err := w.Next(ctx)
	if err != nil {
		return nil, err
	}
	c := &Cluster{w: w}
	c.cur.Store(&view{host, epoch})
	go c.follow(ctx)
	return c, nil
}

func (c *Cluster) follow(ctx context.Context) {
	for ctx.Err() == nil {
		host, epoch, err := c.w.Next(ctx)
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		c.cur.Store(&view{host: host, epoch: epoch})
	}
}

func (c *Cluster) Primary() (string, uint64) {
	v := c.cur.Load()
	host := v.host
	epoch := v.epoch
	return host, epoch
}
