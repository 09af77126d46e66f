package watchtree

import (
	"strings"
	"sync"
)

type Change struct {
	Key, Value string
	Rev        int64
}

type watcher struct {
	prefix string
	out    chan Change
	lagged bool
}

type Tree struct {
	mu       sync.Mutex
	rev      int64
	data     map[string]Change
	watchers map[*watcher]bool
}

func New() *Tree {
	return &Tree{data: map[string]Change{}, watchers: map[*watcher]bool{}}
}

func (t *Tree) Put(key, value string) int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rev++
	c := Change{key, value, t.rev}
	t.data[key] = c
	for w := range t.watchers {
		if !strings.HasPrefix(key, w.prefix) {
			continue
		}
		select {
		case w.out <- c:
		default:
			w.lagged = true
		}
	}
	return t.rev
}

func (t *Tree) listLocked(prefix string) (out []Change) {
	for k, c := range t.data {
		if strings.HasPrefix(k, prefix) {
			out = append(out, c)
		}
	}
	return out
}

func (t *Tree) Watch(prefix string, depth int) ([]Change, <-chan Change, func() (lagged bool)) {
	w := &watcher{prefix: prefix, out: make(chan Change, depth)}
	t.mu.Lock()
	snap := t.listLocked(prefix)
	t.watchers[w] = true
	t.mu.Unlock()

	return snap, w.out, func() bool {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.watchers, w)
		return w.lagged
	}
}
