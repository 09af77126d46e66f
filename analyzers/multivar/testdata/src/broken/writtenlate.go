package broken

import (
	"encoding/json"
	"os"
	"sync"
)

// A file is written with what was seen under a lock, after its release.

type LedgerBook struct {
	mu    sync.RWMutex
	lines map[string]int
	path  string
}

func (l *LedgerBook) Book(name string, n int) error {
	l.mu.Lock()
	l.lines[name] += n
	l.mu.Unlock()
	return l.store()
}

func (l *LedgerBook) Clear() error { l.mu.Lock(); clear(l.lines); l.mu.Unlock(); return l.store() }

func (l *LedgerBook) store() error {
	l.mu.RLock()
	text, err := json.Marshal(l.lines) // want `what l.lines is at this time is written to a file after the release of the lock`
	l.mu.RUnlock()
	if err != nil {
		return err
	}
	return os.WriteFile(l.path, text, 0o644)
}
