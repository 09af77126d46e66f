package dbendpoint

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"sync"
	"time"
)

type Resolver struct {
	service string

	mu   sync.RWMutex
	host string
	port int
}

func NewResolver(service, host string, port int) *Resolver {
	return &Resolver{service: service, host: host, port: port}
}

func (r *Resolver) setHost(h string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.host = h
}

func (r *Resolver) setPort(p int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.port = p
}

func (r *Resolver) Update(ctx context.Context) error {
	_, srvs, err := net.DefaultResolver.LookupSRV(ctx, "", "", r.service)
	if err != nil {
		return err
	}
	if len(srvs) == 0 {
		return fmt.Errorf("dbendpoint: no records for %s", r.service)
	}
	r.setHost(srvs[0].Target)
	r.setPort(int(srvs[0].Port))
	return nil
}

func (r *Resolver) Run(ctx context.Context, every time.Duration) {
	for ctx.Err() == nil {
		_ = r.Update(ctx)
		time.Sleep(every)
	}
}

func (r *Resolver) Addr() string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return net.JoinHostPort(r.host, strconv.Itoa(r.port))
}
