package eventfeed

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

var ErrFeedClosed = errors.New("eventfeed: closed")

type Event struct {
	Type string    `json:"type"`
	At   time.Time `json:"at"`
	Data any       `json:"data,omitempty"`
}

// Feed passes events of many producers to one streaming response.
type Feed struct {
	id      string
	dropped atomic.Int64

	mu     sync.RWMutex
	closed bool
	events chan Event
}

func NewFeed(id string, buffer int) *Feed {
	return &Feed{id: id, events: make(chan Event, buffer)}
}

func (f *Feed) offer(ev Event) error {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if f.closed {
		return ErrFeedClosed
	}
	select {
	case f.events <- ev:
	default:
		f.dropped.Add(1)
	}
	return nil
}

// Emit queues an event. Events are dropped when the client does not keep up.
func (f *Feed) Emit(kind string, data any) error {
	if err := f.offer(Event{Type: kind, At: time.Now(), Data: data}); err != nil {
		return fmt.Errorf("emit %s to %s: %w", kind, f.id, err)
	}
	return nil
}

// Close ends the stream after the queued events.
func (f *Feed) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return
	}
	f.closed = true
	close(f.events)
}

// ServeHTTP streams the events as server-sent events.
func (f *Feed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer f.Close()
	rc := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	ping := time.NewTicker(15 * time.Second)
	defer ping.Stop()
	for {
		select {
		case <-r.Context().Done():
			slog.Debug("client left", "feed", f.id, "dropped", f.dropped.Load())
			return
		case <-ping.C:
			if _, err := fmt.Fprint(w, ": ping\n\n"); err != nil {
				return
			}
		case ev, ok := <-f.events:
			if !ok {
				return
			}
			raw, err := json.Marshal(ev)
			if err != nil {
				slog.Error("marshal event", "feed", f.id, "type", ev.Type, "err", err)
				continue
			}
			if _, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", ev.Type, raw); err != nil {
				return
			}
		}
		if err := rc.Flush(); err != nil {
			return
		}
	}
}
