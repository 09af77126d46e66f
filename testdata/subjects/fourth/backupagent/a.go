package backupagent

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

type Snapshotter interface {
	Snapshot(ctx context.Context) (id string, err error)
}

type Agent struct {
	snap     Snapshotter
	stopCh   chan struct{}
	finished chan struct{}

	mu      sync.Mutex
	stopped bool
	lastID  string
}

func Start(snap Snapshotter, every time.Duration) *Agent {
	a := &Agent{snap: snap, stopCh: make(chan struct{}), finished: make(chan struct{})}
	go a.loop(every)
	return a
}

func (a *Agent) loop(every time.Duration) {
	defer close(a.finished)
	for {
		select {
		case <-a.stopCh:
			return
		case <-time.After(every):
		}
		id, err := a.snap.Snapshot(context.Background())
		if err != nil {
			slog.Error("snapshot", "err", err)
			continue
		}
		a.mu.Lock()
		a.lastID = id
		a.mu.Unlock()
	}
}

func (a *Agent) isStopped() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.stopped
}

func (a *Agent) Stop() {
	if a.isStopped() {
		return
	}
	close(a.stopCh)
	<-a.finished
	a.mu.Lock()
	a.stopped = true
	a.mu.Unlock()
}
