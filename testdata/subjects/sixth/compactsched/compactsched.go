// Package compactsched decides what a leveled storage engine compacts and when.
package compactsched

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sort"
	"sync"
	"time"
)

type Table struct {
	ID       uint64
	Min, Max string
	Bytes    int64
}

type Merger interface {
	// Merge writes the union of in to new tables.
	Merge(ctx context.Context, in []Table, level int) ([]Table, error)
}

type Limits struct {
	L0Tables   int
	LevelBytes int64
	Factor     int64
	Quota      int64 // bytes per second
}

var errNothing = errors.New("compactsched: nothing to do")

type Engine struct {
	lim    Limits
	merger Merger
	log    *slog.Logger
	kick   chan struct{}

	mu     sync.Mutex
	levels [][]Table
	spent  int64
	window time.Time
}

func New(lim Limits, m Merger, levels int, log *slog.Logger) *Engine {
	return &Engine{lim: lim, merger: m, log: log, kick: make(chan struct{}, 1), levels: make([][]Table, levels)}
}

// Flushed records a table that a memtable was written to.
func (e *Engine) Flushed(t Table) {
	e.mu.Lock()
	e.levels[0] = append(e.levels[0], t)
	e.mu.Unlock()
	select {
	case e.kick <- struct{}{}:
	default:
	}
}

// Run compacts until ctx ends.
func (e *Engine) Run(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-e.kick:
		case <-time.After(30 * time.Second):
		}
		for {
			err := e.compactOnce(ctx)
			if err == nil {
				continue
			}
			if !errors.Is(err, errNothing) {
				e.log.Error("compaction", "err", err)
			}
			break
		}
	}
}

func (e *Engine) compactOnce(ctx context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()

	level, budget := -1, e.lim.LevelBytes
	for i, ts := range e.levels[:len(e.levels)-1] {
		if (i == 0 && len(ts) >= e.lim.L0Tables) || (i > 0 && sum(ts) > budget) {
			level = i
			break
		}
		if i > 0 {
			budget *= e.lim.Factor
		}
	}
	if level < 0 {
		return errNothing
	}

	var in, keep []Table
	for i, t := range e.levels[level] {
		if level == 0 || i == 0 {
			in = append(in, t)
		} else {
			keep = append(keep, t)
		}
	}
	need := sum(in)
	if err := e.awaitQuota(ctx, need); err != nil {
		return fmt.Errorf("compactsched: level %d: %w", level, err)
	}
	out, err := e.merger.Merge(ctx, in, level+1)
	if err != nil {
		return fmt.Errorf("compactsched: merge level %d: %w", level, err)
	}
	e.levels[level] = keep
	next := append(e.levels[level+1], out...)
	sort.Slice(next, func(i, j int) bool { return next[i].Min < next[j].Min })
	e.levels[level+1] = next
	e.log.Info("compacted", "level", level, "in", len(in), "out", len(out), "bytes", need)
	return nil
}

// awaitQuota books n bytes, sleeping while the window is used up.
func (e *Engine) awaitQuota(ctx context.Context, n int64) error {
	for e.spent > 0 && e.spent+n > e.lim.Quota && time.Since(e.window) < time.Second {
		e.mu.Unlock()
		select {
		case <-ctx.Done():
		case <-time.After(100 * time.Millisecond):
		}
		e.mu.Lock()
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if time.Since(e.window) >= time.Second {
		e.window, e.spent = time.Now(), 0
	}
	e.spent += n
	return nil
}

func sum(ts []Table) (n int64) {
	for _, t := range ts {
		n += t.Bytes
	}
	return n
}
