// Package fswatch reports changed files by polling.
package fswatch

import (
	"errors"
	"io/fs"
	"log"
	"os"
	"sync"
	"time"
)

var ErrClosed = errors.New("fswatch: closed")

type Op int

const (
	Created Op = iota
	Modified
	Removed
)

type Event struct {
	Path string
	Op   Op
}

type stamp struct {
	mod  time.Time
	size int64
}

type Watcher struct {
	Events chan Event

	interval time.Duration
	maxErrs  int
	done     chan struct{}

	mu     sync.Mutex
	paths  map[string]stamp
	closed bool
}

func New(interval time.Duration) *Watcher {
	w := &Watcher{
		Events:   make(chan Event, 32),
		interval: interval,
		maxErrs:  10,
		done:     make(chan struct{}),
		paths:    make(map[string]stamp),
	}
	go w.poll()
	return w
}

func (w *Watcher) isClosed() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.closed
}

func (w *Watcher) forgetAll() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := len(w.paths)
	clear(w.paths)
	w.closed = true
	return n
}

// Add starts to watch path.
func (w *Watcher) Add(path string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return ErrClosed
	}
	if _, ok := w.paths[path]; !ok {
		w.paths[path] = stamp{}
	}
	return nil
}

// Close stops the watcher.
func (w *Watcher) Close() error {
	if w.isClosed() {
		return ErrClosed
	}
	if n := w.forgetAll(); n > 0 {
		log.Printf("fswatch: closing with %d paths", n)
	}
	close(w.done)
	return nil
}

func (w *Watcher) poll() {
	tick := time.NewTicker(w.interval)
	defer tick.Stop()
	errs := 0
	for {
		select {
		case <-w.done:
			return
		case <-tick.C:
		}
		evs, err := w.scan()
		if err != nil {
			if errs++; errs > w.maxErrs {
				log.Printf("fswatch: giving up: %v", err)
				w.Close()
				return
			}
		}
		for _, ev := range evs {
			select {
			case w.Events <- ev:
			case <-w.done:
				return
			}
		}
	}
}

func (w *Watcher) scan() (evs []Event, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for p, old := range w.paths {
		fi, serr := os.Stat(p)
		switch {
		case errors.Is(serr, fs.ErrNotExist):
			if old != (stamp{}) {
				w.paths[p] = stamp{}
				evs = append(evs, Event{p, Removed})
			}
		case serr != nil:
			err = serr
		case old == stamp{}:
			w.paths[p] = stamp{fi.ModTime(), fi.Size()}
			evs = append(evs, Event{p, Created})
		case !fi.ModTime().Equal(old.mod) || fi.Size() != old.size:
			w.paths[p] = stamp{fi.ModTime(), fi.Size()}
			evs = append(evs, Event{p, Modified})
		}
	}
	return evs, err
}
