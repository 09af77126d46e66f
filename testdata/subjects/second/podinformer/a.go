package podinformer

import "sync"

type Pod struct {
	Name  string
	Phase string
}

type Informer struct {
	mu       sync.Mutex
	pods     map[string]Pod
	watchers map[int]func(Pod)
	nextID   int
}

func New() *Informer {
	return &Informer{pods: map[string]Pod{}, watchers: map[int]func(Pod){}}
}

func (i *Informer) listLocked() []Pod {
	out := make([]Pod, 0, len(i.pods))
	for _, p := range i.pods {
		out = append(out, p)
	}
	return out
}

// Watch must not be called from fn.
func (i *Informer) Watch(fn func(Pod)) (initial []Pod, cancel func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	initial = i.listLocked()
	id := i.nextID
	i.nextID++
	i.watchers[id] = fn
	return initial, func() {
		i.mu.Lock()
		delete(i.watchers, id)
		i.mu.Unlock()
	}
}

func (i *Informer) Apply(p Pod) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.pods[p.Name] == p {
		return
	}
	i.pods[p.Name] = p
	for _, fn := range i.watchers {
		fn(p)
	}
}
