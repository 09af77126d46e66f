// Package delayq runs items when their time comes.
package delayq

import (
	"container/heap"
	"context"
	"log/slog"
	"sync"
	"time"
)

type Item struct {
	ID      string
	At      time.Time
	Payload []byte
	attempt int
}

type byTime []*Item

func (h byTime) Len() int           { return len(h) }
func (h byTime) Less(i, j int) bool { return h[i].At.Before(h[j].At) }
func (h byTime) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *byTime) Push(x any)        { *h = append(*h, x.(*Item)) }
func (h *byTime) Pop() any {
	old := *h
	it := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	return it
}

type Handler func(ctx context.Context, it Item) error

type Queue struct {
	handle Handler
	log    *slog.Logger
	kick   chan struct{}

	mu     sync.Mutex
	items  byTime
	fired  int
	failed map[string]int
}

func New(ctx context.Context, h Handler, log *slog.Logger) *Queue {
	q := &Queue{handle: h, log: log, kick: make(chan struct{}, 1), failed: make(map[string]int)}
	go q.loop(ctx)
	return q
}

// Add schedules it; an item that is already due fires at once.
func (q *Queue) Add(it Item) {
	q.mu.Lock()
	heap.Push(&q.items, &it)
	q.mu.Unlock()
	select {
	case q.kick <- struct{}{}:
	default:
	}
}

func (q *Queue) loop(ctx context.Context) {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		wait := q.runDue(ctx, time.Now())
		timer.Reset(wait)
		select {
		case <-ctx.Done():
			return
		case <-q.kick:
		case <-timer.C:
		}
	}
}

// runDue fires all that is due at now and returns how long to sleep.
func (q *Queue) runDue(ctx context.Context, now time.Time) time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.items.Len() > 0 {
		head := q.items[0]
		if head.At.After(now) {
			return head.At.Sub(now)
		}
		if err := q.fireLocked(ctx, head); err != nil {
			q.failed[head.ID]++
			q.log.Warn("delayed item failed", "id", head.ID, "attempt", head.attempt, "err", err)
			if head.attempt < 3 {
				head.At = now.Add(time.Duration(head.attempt) * time.Second)
				heap.Fix(&q.items, 0)
				continue
			}
		}
		heap.Pop(&q.items)
	}
	return time.Hour
}

// fireLocked runs the handler; q.mu is held on entry and on return.
func (q *Queue) fireLocked(ctx context.Context, it *Item) error {
	it.attempt++
	q.fired++
	cp := *it
	q.mu.Unlock()
	defer q.mu.Lock()
	return q.handle(ctx, cp)
}

// Len reports how many items wait.
func (q *Queue) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.items.Len()
}
