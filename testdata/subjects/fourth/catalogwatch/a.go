package catalogwatch

import (
	"maps"
	"sync"
)

type Service struct {
	Name string
	Addr string
}

type watcher struct {
	mu    sync.Mutex
	queue []Service
	wake  chan struct{}
}

func (w *watcher) push(s Service) {
	w.mu.Lock()
	w.queue = append(w.queue, s)
	w.mu.Unlock()
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

type Catalog struct {
	mu       sync.Mutex
	services map[string]Service
	watchers []*watcher
}

func New() *Catalog { return &Catalog{services: make(map[string]Service)} }

func (c *Catalog) Set(s Service) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.services[s.Name] = s
	for _, w := range c.watchers {
		w.push(s)
	}
}

// Watch never returns; fn sees the current services first.
func (c *Catalog) Watch(fn func(Service)) {
	w := &watcher{wake: make(chan struct{}, 1)}
	c.mu.Lock()
	known := maps.Clone(c.services)
	c.watchers = append(c.watchers, w)
	c.mu.Unlock()
	for _, s := range known {
		fn(s)
	}
	for range w.wake {
		w.mu.Lock()
		batch := w.queue
		w.queue = nil
		w.mu.Unlock()
		for _, s := range batch {
			fn(s)
		}
	}
}
