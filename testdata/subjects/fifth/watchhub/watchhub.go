// Package watchhub fans key changes out to watchers. Slow watchers lose the oldest changes.
package watchhub

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
)

type Op uint8

const (
	OpPut Op = iota + 1
	OpDelete
)

type Change struct {
	Op       Op
	Key      string
	Value    []byte
	Revision uint64
}

type watcher struct {
	prefix string
	out    chan Change
	lost   atomic.Uint64
}

func (w *watcher) wants(key string) bool { return strings.HasPrefix(key, w.prefix) }

// offer queues the change; if there is no room the oldest one makes way.
func (w *watcher) offer(c Change) {
	if len(w.out) == cap(w.out) {
		<-w.out
		w.lost.Add(1)
	}
	w.out <- c
}

type Hub struct {
	subs     sync.RWMutex
	rev      uint64
	watchers map[uint64]*watcher
	nextID   uint64
}

func NewHub() *Hub { return &Hub{watchers: make(map[uint64]*watcher)} }

// Watch returns the changes below prefix until ctx ends. The channel is not closed.
func (h *Hub) Watch(ctx context.Context, prefix string, buffer int) <-chan Change {
	w := &watcher{prefix: prefix, out: make(chan Change, max(1, buffer))}
	h.subs.Lock()
	id := h.nextID
	h.nextID++
	h.watchers[id] = w
	h.subs.Unlock()

	context.AfterFunc(ctx, func() { h.drop(id) })
	return w.out
}

func (h *Hub) drop(id uint64) {
	h.subs.Lock()
	w := h.watchers[id]
	delete(h.watchers, id)
	h.subs.Unlock()
	if w == nil {
		return
	}
	if n := w.lost.Load(); n > 0 {
		slog.Info("watcher was too slow", "prefix", w.prefix, "lost", n)
	}
}

func (h *Hub) publish(op Op, key string, value []byte) uint64 {
	h.subs.Lock()
	defer h.subs.Unlock()
	h.rev++
	c := Change{Op: op, Key: key, Value: value, Revision: h.rev}
	for _, w := range h.watchers {
		if w.wants(key) {
			w.offer(c)
		}
	}
	return c.Revision
}

// Put and Delete are called by the store after it has applied the change.
func (h *Hub) Put(key string, value []byte) uint64 { return h.publish(OpPut, key, value) }

func (h *Hub) Delete(key string) uint64 { return h.publish(OpDelete, key, nil) }

// Watchers is the number of open watches.
func (h *Hub) Watchers() int {
	h.subs.RLock()
	defer h.subs.RUnlock()
	return len(h.watchers)
}
