// Package retrysched delivers messages with retries after growing delays.
package retrysched

import (
	"container/heap"
	"context"
	"errors"
	"log"
	"sync"
	"time"
)

var (
	ErrStopped = errors.New("retrysched: stopped")
	ErrFatal   = errors.New("retrysched: delivery refused for good")
)

type Message struct {
	ID      string
	Body    []byte
	Attempt int
	at      time.Time
}

type byTime []*Message

func (h byTime) Len() int           { return len(h) }
func (h byTime) Less(i, j int) bool { return h[i].at.Before(h[j].at) }
func (h byTime) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *byTime) Push(x any)        { *h = append(*h, x.(*Message)) }
func (h *byTime) Pop() any {
	old := *h
	m := old[len(old)-1]
	*h = old[:len(old)-1]
	return m
}

type Deliver func(ctx context.Context, m *Message) error

type Scheduler struct {
	deliver Deliver
	base    time.Duration
	kick    chan struct{}
	done    chan struct{}

	qmu   sync.Mutex
	queue byTime
}

func New(base time.Duration, senders int, d Deliver) *Scheduler {
	s := &Scheduler{deliver: d, base: base, kick: make(chan struct{}, 1), done: make(chan struct{})}
	for range senders {
		go s.loop()
	}
	return s
}

// Enqueue plans the first delivery at once.
func (s *Scheduler) Enqueue(id string, body []byte) error {
	select {
	case <-s.done:
		return ErrStopped
	default:
	}
	s.schedule(&Message{ID: id, Body: body, at: time.Now()})
	return nil
}

func (s *Scheduler) schedule(m *Message) {
	s.qmu.Lock()
	heap.Push(&s.queue, m)
	s.qmu.Unlock()
	select {
	case s.kick <- struct{}{}:
	default:
	}
}

func (s *Scheduler) pop(now time.Time) (*Message, time.Duration) {
	s.qmu.Lock()
	defer s.qmu.Unlock()
	if len(s.queue) == 0 {
		return nil, time.Minute
	}
	if wait := s.queue[0].at.Sub(now); wait > 0 {
		return nil, wait
	}
	return heap.Pop(&s.queue).(*Message), 0
}

// Stop ends the senders. Senders stop the scheduler themselves when the far side refuses for good.
func (s *Scheduler) Stop() {
	select {
	case <-s.done:
		return
	default:
		close(s.done)
	}
}

func (s *Scheduler) loop() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for {
		m, wait := s.pop(time.Now())
		if m == nil {
			select {
			case <-s.done:
				return
			case <-s.kick:
			case <-time.After(wait):
			}
			continue
		}
		err := s.deliver(ctx, m)
		switch {
		case err == nil:
		case errors.Is(err, ErrFatal):
			log.Printf("retrysched: %s: %v", m.ID, err)
			s.Stop()
			return
		default:
			m.Attempt++
			m.at = time.Now().Add(s.base << min(m.Attempt, 10))
			s.schedule(m)
		}
	}
}
