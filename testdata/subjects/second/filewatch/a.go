package filewatch

import (
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

type Event struct {
	Path string
	Size int64
}

type Watcher struct {
	root   string
	Events chan Event
	stop   chan struct{}
}

func Watch(root string, every time.Duration) *Watcher {
	w := &Watcher{root: root, Events: make(chan Event), stop: make(chan struct{})}
	go w.loop(every)
	return w
}

func (w *Watcher) loop(every time.Duration) {
	seen := map[string]int64{}
	for {
		_ = filepath.WalkDir(w.root, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil
			}
			fi, err := os.Stat(p)
			if err != nil || seen[p] == fi.Size() {
				return nil
			}
			seen[p] = fi.Size()
			select {
			case w.Events <- Event{p, fi.Size()}:
				return nil
			case <-w.stop:
				return filepath.SkipAll
			}
		})
		select {
		case <-time.After(every):
		case <-w.stop:
			return
		}
	}
}

func (w *Watcher) Stop() {
	select {
	case <-w.stop:
		return
	default:
		close(w.stop)
	}
}
