package fine

import (
	"runtime"
	"sync"
)

// Places are where helpers have been called from.
type Places struct {
	mu    sync.Mutex
	seen  map[uintptr]bool
	names map[string]bool
}

// Note marks a place. Two that come at once mark the same.
func (p *Places) Note(pc uintptr) {
	p.mu.Lock()
	if p.seen[pc] {
		p.mu.Unlock()
		return
	}
	p.mu.Unlock()
	f := runtime.FuncForPC(pc)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.names[f.Name()] = true
	p.seen[pc] = true
}
