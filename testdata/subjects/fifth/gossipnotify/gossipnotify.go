package gossipnotify

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"
)

// Change is what the gossip layer found out. Observers order the changes of a
// node by its incarnation.
type Change struct {
	Node        string
	Incarnation uint64
	Up          bool
	At          time.Time
}

// Observer is told about changes. A call may still come in while or shortly
// after it is cancelled.
type Observer interface {
	MemberChanged(ctx context.Context, c Change) error
}

type ObserverFunc func(ctx context.Context, c Change) error

func (f ObserverFunc) MemberChanged(ctx context.Context, c Change) error { return f(ctx, c) }

type registration struct {
	id  int
	obs Observer
}

// Membership tells observers which nodes come and go.
type Membership struct {
	log     *slog.Logger
	timeout time.Duration

	mu   sync.Mutex
	next int
	regs []registration
}

func NewMembership(log *slog.Logger) *Membership {
	return &Membership{log: log, timeout: time.Second}
}

// Observe adds an observer and returns a function that removes it.
func (m *Membership) Observe(o Observer) (cancel func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.next++
	id := m.next
	m.regs = append(m.regs, registration{id: id, obs: o})
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.regs = slices.DeleteFunc(m.regs, func(r registration) bool { return r.id == id })
	}
}

func (m *Membership) observers() []registration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.regs)
}

// Announce tells every observer about a change.
func (m *Membership) Announce(ctx context.Context, c Change) error {
	if c.At.IsZero() {
		c.At = time.Now()
	}
	list := m.observers()
	failed := 0
	for _, r := range list {
		octx, cancel := context.WithTimeout(ctx, m.timeout)
		if err := r.obs.MemberChanged(octx, c); err != nil {
			failed++
			m.log.Warn("observer failed", "observer", r.id, "node", c.Node, "err", err)
		}
		cancel()
	}
	if failed > 0 {
		return fmt.Errorf("gossipnotify: %d of %d observers failed", failed, len(list))
	}
	return nil
}
