// Package txnloop serves a key-value store from one goroutine.
package txnloop

import (
	"context"
	"errors"
	"fmt"
	"time"
)

var (
	ErrClosed   = errors.New("txnloop: closed")
	ErrNotFound = errors.New("txnloop: not found")
	ErrLocked   = errors.New("txnloop: key is locked")
)

type record struct {
	value    []byte
	holder   string
	deadline time.Time
}

type request struct {
	do    func(*engine) error
	reply chan error
}

// engine is touched by the loop only.
type engine struct {
	data  map[string]*record
	ops   uint64
	now   func() time.Time
	ttl   time.Duration
	locks int
}

type Store struct {
	reqs chan request
	quit <-chan struct{}
}

// Open starts the loop; it runs until ctx ends.
func Open(ctx context.Context, ttl time.Duration) *Store {
	s := &Store{reqs: make(chan request), quit: ctx.Done()}
	e := &engine{data: make(map[string]*record), now: time.Now, ttl: ttl}
	go func() {
		sweep := time.NewTicker(ttl)
		defer sweep.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case r := <-s.reqs:
				e.ops++
				r.reply <- r.do(e)
			case <-sweep.C:
				e.sweep()
			}
		}
	}()
	return s
}

func (s *Store) call(do func(*engine) error) error {
	r := request{do: do, reply: make(chan error, 1)}
	select {
	case s.reqs <- r:
	case <-s.quit:
		return ErrClosed
	}
	return <-r.reply
}

func (e *engine) holder(key string) string {
	r, ok := e.data[key]
	if !ok || r.holder == "" || e.now().After(r.deadline) {
		return ""
	}
	return r.holder
}

func (e *engine) assign(key, who string) {
	r, ok := e.data[key]
	if !ok {
		r = &record{}
		e.data[key] = r
	}
	if r.holder == "" {
		e.locks++
	}
	r.holder, r.deadline = who, e.now().Add(e.ttl)
}

func (e *engine) lock(key, who string) error {
	if h := e.holder(key); h != "" && h != who {
		return fmt.Errorf("%w by %s", ErrLocked, h)
	}
	e.assign(key, who)
	return nil
}

func (e *engine) sweep() {
	for key, r := range e.data {
		if r.holder != "" && e.now().After(r.deadline) {
			r.holder = ""
			e.locks--
		}
		if r.value == nil && r.holder == "" {
			delete(e.data, key)
		}
	}
}

// Lock takes the key for who, or prolongs a lock that who has.
func (s *Store) Lock(key, who string) error {
	return s.call(func(e *engine) error { return e.lock(key, who) })
}

// Put needs the lock of the key.
func (s *Store) Put(key, who string, value []byte) error {
	return s.call(func(e *engine) error {
		if who == "" || e.holder(key) != who {
			return ErrLocked
		}
		e.data[key].value = value
		return nil
	})
}

func (s *Store) Get(key string) (value []byte, err error) {
	err = s.call(func(e *engine) error {
		r, ok := e.data[key]
		if !ok || r.value == nil {
			return ErrNotFound
		}
		value = r.value
		return nil
	})
	return value, err
}
