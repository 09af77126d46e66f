package endpoints

import (
	"context"
	"maps"
	"slices"
	"sync"
)

type Update struct {
	Name  string
	Ready bool
}

type Feed struct {
	mu       sync.Mutex
	state    map[string]bool
	watchers map[int]chan Update
	nextID   int
}

func NewFeed() *Feed {
	return &Feed{state: map[string]bool{}, watchers: map[int]chan Update{}}
}

func (f *Feed) Update(u Update) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.state[u.Name] = u.Ready
	for _, w := range f.watchers {
		w <- u
	}
}

func (f *Feed) Ready() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	up := maps.Clone(f.state)
	maps.DeleteFunc(up, func(_ string, ready bool) bool { return !ready })
	return slices.Sorted(maps.Keys(up))
}

func (f *Feed) register(ctx context.Context, depth int) <-chan Update {
	f.mu.Lock()
	defer f.mu.Unlock()
	ch := make(chan Update, depth)
	id := f.nextID
	f.nextID++
	f.watchers[id] = ch
	context.AfterFunc(ctx, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.watchers, id)
		close(ch)
	})
	return ch
}

// Watch gives the names that are ready and, from there on, what changes.
func (f *Feed) Watch(ctx context.Context) ([]string, <-chan Update) {
	names := f.Ready()
	ch := f.register(ctx, 256)
	return names, ch
}
