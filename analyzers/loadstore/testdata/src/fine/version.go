package fine

import "sync"

type note struct {
	version int
	text    string
}

// Notes are replaced where the version is the one that was read.
type Notes struct {
	mu sync.Mutex
	m  map[string]note
}

func (n *Notes) get(k string) note {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.m[k]
}

func (n *Notes) replace(k string, seen int, text string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.m[k].version != seen {
		return false
	}
	n.m[k] = note{version: seen + 1, text: text}
	return true
}

func (n *Notes) Edit(k string, edit func(string) string) {
	for {
		old := n.get(k)
		if n.replace(k, old.version, edit(old.text)) {
			return
		}
	}
}
