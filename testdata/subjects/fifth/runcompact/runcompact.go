// Package runcompact keeps the sorted runs of a storage engine and merges them.
package runcompact

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"
)

var ErrClosed = errors.New("runcompact: closed")

// Run is a sorted file. It is immutable.
type Run struct {
	ID    uint64
	Bytes int64
	Level int
}

type Files interface {
	Merge(ctx context.Context, id uint64, in []Run) (Run, error)
	Remove(id uint64) error // once nobody reads it any more
}

// Tree serves reads while runs come in and are merged.
type Tree struct {
	files  Files
	fanIn  int
	log    *slog.Logger
	writer sync.Mutex // held by whoever changes the set of runs

	view   sync.RWMutex
	runs   []Run // newest last
	nextID uint64
	closed bool
}

func New(files Files, fanIn int, log *slog.Logger) *Tree {
	return &Tree{files: files, fanIn: fanIn, log: log, nextID: 1}
}

// Runs returns the runs that a reader has to look into.
func (t *Tree) Runs() []Run {
	t.view.RLock()
	defer t.view.RUnlock()
	return slices.Clone(t.runs)
}

// Add takes over a run that was flushed from memory.
func (t *Tree) Add(bytes int64) (Run, error) {
	t.writer.Lock()
	defer t.writer.Unlock()
	t.view.Lock()
	defer t.view.Unlock()
	if t.closed {
		return Run{}, ErrClosed
	}
	r := Run{ID: t.nextID, Bytes: bytes}
	t.nextID++
	t.runs = append(t.runs, r)
	return r, nil
}

// Close makes later changes fail; it waits for a merge that runs.
func (t *Tree) Close() {
	t.writer.Lock()
	defer t.writer.Unlock()
	t.view.Lock()
	defer t.view.Unlock()
	t.closed = true
}

// Compact merges the newest runs into one if there are enough of them.
func (t *Tree) Compact(ctx context.Context) error {
	t.writer.Lock()
	defer t.writer.Unlock()

	t.view.RLock()
	if t.closed {
		t.view.RUnlock()
		return ErrClosed
	}
	keep := max(0, len(t.runs)-t.fanIn)
	in := slices.Clone(t.runs[keep:])
	id := t.nextID
	t.view.RUnlock()
	if len(in) < t.fanIn {
		return nil
	}

	start := time.Now()
	merged, err := t.files.Merge(ctx, id, in)
	if err != nil {
		return fmt.Errorf("merge %d runs: %w", len(in), err)
	}

	t.view.Lock()
	t.runs = append(slices.Clone(t.runs[:keep]), merged)
	t.nextID = id + 1
	t.view.Unlock()

	t.log.Info("compacted", "runs", len(in), "bytes", merged.Bytes, "took", time.Since(start))
	for _, r := range in {
		if err := t.files.Remove(r.ID); err != nil {
			t.log.Warn("remove run", "id", r.ID, "err", err)
		}
	}
	return nil
}
