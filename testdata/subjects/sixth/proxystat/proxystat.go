// Package proxystat is a TCP proxy that accounts traffic per route.
package proxystat

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"sync"
	"time"
)

type route struct {
	name   string
	target string
	bytes  int64
	conns  int
}

// Sink stores usage records.
type Sink interface {
	Record(route string, bytes int64, conns int) error
}

type Proxy struct {
	sink Sink
	log  *slog.Logger

	routesMu sync.RWMutex
	routes   map[string]*route

	statsMu sync.Mutex
	total   int64
	errs    map[string]int
}

func New(ctx context.Context, sink Sink, log *slog.Logger) *Proxy {
	p := &Proxy{
		sink:   sink,
		log:    log,
		routes: make(map[string]*route),
		errs:   make(map[string]int),
	}
	go p.flushLoop(ctx)
	return p
}

func (p *Proxy) Handle(name, target string) {
	p.routesMu.Lock()
	defer p.routesMu.Unlock()
	if _, ok := p.routes[name]; ok {
		return
	}
	p.routes[name] = &route{name: name, target: target}
}

func (p *Proxy) enter(name string) (*route, error) {
	p.routesMu.Lock()
	defer p.routesMu.Unlock()
	r, ok := p.routes[name]
	if !ok {
		return nil, errors.New("proxystat: no route " + name)
	}
	r.conns++
	return r, nil
}

func (p *Proxy) leave(r *route) {
	p.routesMu.Lock()
	r.conns--
	p.routesMu.Unlock()
}

// ServeConn relays one client connection along a route.
func (p *Proxy) ServeConn(ctx context.Context, name string, client net.Conn) error {
	defer client.Close()
	r, err := p.enter(name)
	if err != nil {
		return err
	}
	defer p.leave(r)
	var d net.Dialer
	up, err := d.DialContext(ctx, "tcp", r.target)
	if err != nil {
		return err
	}
	defer up.Close()

	back := make(chan error, 1)
	go func() {
		err := p.relay(r, client, up)
		client.Close()
		back <- err
	}()
	err = p.relay(r, up, client)
	up.Close()
	return errors.Join(err, <-back)
}

func (p *Proxy) relay(r *route, dst io.Writer, src io.Reader) error {
	buf := make([]byte, 16<<10)
	for {
		n, err := src.Read(buf)
		if n > 0 {
			if _, werr := dst.Write(buf[:n]); werr != nil {
				err = werr
			}
			p.statsMu.Lock()
			p.total += int64(n)
			r.bytes += int64(n)
			p.statsMu.Unlock()
		}
		switch {
		case err == nil:
		case err == io.EOF, errors.Is(err, net.ErrClosed):
			return nil
		default:
			p.statsMu.Lock()
			p.errs[r.name]++
			p.statsMu.Unlock()
			return err
		}
	}
}

func (p *Proxy) flushLoop(ctx context.Context) {
	t := time.NewTicker(time.Minute)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			p.flush()
		}
	}
}

func (p *Proxy) flush() {
	p.routesMu.Lock()
	defer p.routesMu.Unlock()
	for name, r := range p.routes {
		if r.bytes == 0 && r.conns == 0 {
			continue
		}
		if err := p.sink.Record(name, r.bytes, r.conns); err != nil {
			p.log.Error("usage record", "route", name, "err", err)
			continue
		}
		r.bytes = 0
	}
}
