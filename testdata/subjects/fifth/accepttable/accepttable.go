package accepttable

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"time"
)

var ErrTenantFull = errors.New("accepttable: tenant connection limit reached")

type Option func(*Table)

func WithLogger(l *slog.Logger) Option { return func(t *Table) { t.log = l } }

func WithPerTenant(n int) Option { return func(t *Table) { t.perTenant = n } }

type entry struct {
	tenant string
	since  time.Time
}

// Table keeps the accepted connections of every tenant.
type Table struct {
	log       *slog.Logger
	perTenant int

	lk       sync.RWMutex
	byTenant map[string]map[net.Conn]entry
}

func New(opts ...Option) *Table {
	t := &Table{log: slog.Default(), perTenant: 64, byTenant: make(map[string]map[net.Conn]entry)}
	for _, o := range opts {
		o(t)
	}
	return t
}

// Active reports how many connections the tenant has open.
func (t *Table) Active(tenant string) int {
	t.lk.RLock()
	defer t.lk.RUnlock()
	return len(t.byTenant[tenant])
}

func (t *Table) track(tenant string, c net.Conn) {
	t.lk.Lock()
	defer t.lk.Unlock()
	conns := t.byTenant[tenant]
	if conns == nil {
		conns = make(map[net.Conn]entry)
		t.byTenant[tenant] = conns
	}
	conns[c] = entry{tenant: tenant, since: time.Now()}
}

// Admit registers the connection unless its tenant has used up its share.
func (t *Table) Admit(ctx context.Context, tenant string, c net.Conn) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if n := t.Active(tenant); n >= t.perTenant {
		t.log.Warn("rejecting connection", "tenant", tenant, "active", n, "remote", c.RemoteAddr())
		return ErrTenantFull
	}
	t.track(tenant, c)
	t.log.Debug("connection admitted", "tenant", tenant, "remote", c.RemoteAddr())
	return nil
}

func (t *Table) Release(tenant string, c net.Conn) {
	t.lk.Lock()
	defer t.lk.Unlock()
	delete(t.byTenant[tenant], c)
	if len(t.byTenant[tenant]) == 0 {
		delete(t.byTenant, tenant)
	}
}

// Serve accepts until the listener fails. auth names the tenant of a connection.
func (t *Table) Serve(ctx context.Context, ln net.Listener, auth func(net.Conn) (string, error), handle func(context.Context, net.Conn)) error {
	for {
		c, err := ln.Accept()
		if err != nil {
			return err
		}
		go func() {
			defer c.Close()
			tenant, err := auth(c)
			if err != nil {
				t.log.Info("auth failed", "remote", c.RemoteAddr(), "err", err)
				return
			}
			if err := t.Admit(ctx, tenant, c); err != nil {
				return
			}
			defer t.Release(tenant, c)
			handle(ctx, c)
		}()
	}
}
