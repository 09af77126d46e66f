package fine

import (
	"encoding/json"
	"os"
	"sync"
	"time"
)

// The lock is held for the writing as well.
type LedgerBook struct {
	mu    sync.RWMutex
	lines map[string]int
	path  string
}

func (l *LedgerBook) Book(name string, n int) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines[name] += n
	return l.store()
}

func (l *LedgerBook) store() error {
	text, err := json.Marshal(l.lines)
	if err != nil {
		return err
	}
	return os.WriteFile(l.path, text, 0o644)
}

// Another lock keeps those who write apart, from before they look.
type LedgerDisk struct {
	mu, disk sync.Mutex
	lines    map[string]int
	path     string
}

func (l *LedgerDisk) Book(name string, n int) error {
	l.mu.Lock()
	l.lines[name] += n
	l.mu.Unlock()
	l.disk.Lock()
	defer l.disk.Unlock()
	return l.store()
}

func (l *LedgerDisk) store() error {
	l.mu.Lock()
	text, err := json.Marshal(l.lines)
	l.mu.Unlock()
	if err != nil {
		return err
	}
	return os.WriteFile(l.path, text, 0o644)
}

// One goroutine alone writes.
type LedgerLoop struct {
	mu    sync.Mutex
	lines map[string]int
	path  string
}

func OpenLedgerLoop(path string) *LedgerLoop {
	l := &LedgerLoop{lines: map[string]int{}, path: path}
	go func() {
		for range time.Tick(time.Minute) {
			l.store()
		}
	}()
	return l
}

func (l *LedgerLoop) Book(name string, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines[name] += n
}

func (l *LedgerLoop) store() error {
	l.mu.Lock()
	text, err := json.Marshal(l.lines)
	l.mu.Unlock()
	if err != nil {
		return err
	}
	return os.WriteFile(l.path, text, 0o644)
}
