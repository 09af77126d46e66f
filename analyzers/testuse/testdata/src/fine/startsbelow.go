package fine

import "sync"

// Panels keep what is computed of a name.
type Panels struct {
	mu     sync.RWMutex
	titles map[string]string
}

func (b *Panels) add(name string) string {
	title := name + "!"
	b.mu.Lock()
	defer b.mu.Unlock()
	b.titles[name] = title
	return title
}

func (b *Panels) Title(name string) string {
	b.mu.RLock()
	title, ok := b.titles[name]
	b.mu.RUnlock()
	if !ok {
		title = b.add(name)
	}
	return title
}
