// Package dispatchload runs RPC calls on a fixed set of workers.
package dispatchload

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

var (
	ErrOverload = errors.New("dispatchload: queue full")
	ErrMethod   = errors.New("dispatchload: unknown method")
)

type Method func(ctx context.Context, body []byte) ([]byte, error)

type usage struct {
	calls    int64
	failures int64
	busy     time.Duration
}

type entry struct {
	name string
	call Method
	usage
}

type request struct {
	ctx   context.Context
	entry *entry
	body  []byte
	reply chan<- result
}

type result struct {
	body []byte
	err  error
}

type Dispatcher struct {
	methods map[string]*entry // fixed by New
	inbox   chan request
	done    chan struct{}
	once    sync.Once
	wg      sync.WaitGroup
	log     *slog.Logger
}

func New(workers, backlog int, methods map[string]Method, log *slog.Logger) *Dispatcher {
	d := &Dispatcher{
		methods: make(map[string]*entry, len(methods)),
		inbox:   make(chan request, backlog),
		done:    make(chan struct{}),
		log:     log,
	}
	for name, m := range methods {
		d.methods[name] = &entry{name: name, call: m}
	}
	for i := range workers {
		d.wg.Add(1)
		go func() {
			defer d.wg.Done()
			d.work(i)
		}()
	}
	return d
}

func (d *Dispatcher) work(n int) {
	for {
		select {
		case <-d.done:
			return
		case r := <-d.inbox:
			if err := r.ctx.Err(); err != nil {
				r.reply <- result{err: err}
				continue
			}
			body, err := d.handle(r)
			if err != nil {
				d.log.Warn("call failed", "worker", n, "method", r.entry.name, "err", err)
			}
			r.reply <- result{body, err}
		}
	}
}

func (d *Dispatcher) handle(r request) (body []byte, err error) {
	began := time.Now()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("method %s panicked: %v", r.entry.name, p)
		}
		r.entry.busy += time.Since(began)
		r.entry.calls++
		if err != nil {
			r.entry.failures++
		}
	}()
	return r.entry.call(r.ctx, r.body)
}

// Call runs a method and waits for its answer.
func (d *Dispatcher) Call(ctx context.Context, name string, body []byte) ([]byte, error) {
	e, ok := d.methods[name]
	if !ok {
		return nil, fmt.Errorf("%q: %w", name, ErrMethod)
	}
	reply := make(chan result, 1)
	select {
	case d.inbox <- request{ctx, e, body, reply}:
	default:
		return nil, ErrOverload
	}
	select {
	case r := <-reply:
		return r.body, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-d.done:
		return nil, context.Canceled
	}
}

// Close stops the workers and logs what they did.
func (d *Dispatcher) Close() {
	d.once.Do(func() { close(d.done) })
	d.wg.Wait()
	for name, e := range d.methods {
		d.log.Info("method", "name", name, "calls", e.calls, "failures", e.failures, "busy", e.busy)
	}
}
