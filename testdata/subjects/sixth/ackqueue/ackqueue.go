// Package ackqueue is a queue with at-least-once delivery: a message comes back unless it is acknowledged in time.
package ackqueue

import (
	"context"
	"errors"
	"log"
	"sync"
	"sync/atomic"
	"time"
)

type Message struct {
	ID       uint64
	Body     []byte
	Attempts int
}

// lease is immutable; an extension is a new lease.
type lease struct {
	msg      Message
	deadline time.Time
}

var (
	ErrFull     = errors.New("ackqueue: full")
	ErrNotOwned = errors.New("ackqueue: lease expired")
)

type Queue struct {
	visibility time.Duration
	maxTries   int
	ready      chan Message
	leases     sync.Map // uint64 -> *lease
	seq        atomic.Uint64
	dead       func(Message)
}

func New(ctx context.Context, size int, visibility time.Duration, dead func(Message)) *Queue {
	q := &Queue{
		visibility: visibility,
		maxTries:   5,
		ready:      make(chan Message, size),
		dead:       dead,
	}
	go q.sweeper(ctx)
	return q
}

func (q *Queue) Send(body []byte) (uint64, error) {
	m := Message{ID: q.seq.Add(1), Body: body}
	select {
	case q.ready <- m:
		return m.ID, nil
	default:
		return 0, ErrFull
	}
}

// Receive leases the next message to the caller.
func (q *Queue) Receive(ctx context.Context) (Message, error) {
	select {
	case m := <-q.ready:
		m.Attempts++
		q.leases.Store(m.ID, &lease{msg: m, deadline: time.Now().Add(q.visibility)})
		return m, nil
	case <-ctx.Done():
		return Message{}, ctx.Err()
	}
}

// Ack ends the lease; the message does not come back.
func (q *Queue) Ack(id uint64) error {
	if _, ok := q.leases.LoadAndDelete(id); !ok {
		return ErrNotOwned
	}
	return nil
}

// Extend gives a slow consumer d more.
func (q *Queue) Extend(id uint64, d time.Duration) error {
	v, ok := q.leases.Load(id)
	if !ok {
		return ErrNotOwned
	}
	old := v.(*lease)
	fresh := &lease{msg: old.msg, deadline: time.Now().Add(d)}
	if !q.leases.CompareAndSwap(id, old, fresh) {
		return ErrNotOwned
	}
	return nil
}

func (q *Queue) sweeper(ctx context.Context) {
	t := time.NewTicker(q.visibility / 4)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-t.C:
			if n := q.sweep(ctx, now); n > 0 {
				log.Printf("ackqueue: %d leases expired", n)
			}
		}
	}
}

func (q *Queue) sweep(ctx context.Context, now time.Time) (expired int) {
	q.leases.Range(func(key, value any) bool {
		l := value.(*lease)
		if now.Before(l.deadline) {
			return true
		}
		expired++
		q.leases.Delete(key)
		if l.msg.Attempts >= q.maxTries {
			if q.dead != nil {
				q.dead(l.msg)
			}
			return true
		}
		select {
		case q.ready <- l.msg:
		case <-ctx.Done():
			return false
		}
		return true
	})
	return expired
}
