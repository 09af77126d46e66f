package confwatch

import (
	"encoding/json"
	"errors"
	"os"
	"sync"
)

type Settings struct {
	Revision int               `json:"revision"`
	Backends map[string]string `json:"backends"`
}

type Watcher struct {
	path string
	subs []func(Settings)

	mu  sync.RWMutex
	cur Settings
}

func NewWatcher(path string, subs ...func(Settings)) (*Watcher, error) {
	w := &Watcher{path: path, subs: subs}
	if err := w.Reload(); err != nil {
		return nil, err
	}
	return w, nil
}

func (w *Watcher) Current() Settings {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.cur
}

// Reload is called on SIGHUP and by the admin endpoint.
func (w *Watcher) Reload() error {
	raw, err := os.ReadFile(w.path)
	if err != nil {
		return err
	}
	var s Settings
	if err := json.Unmarshal(raw, &s); err != nil {
		return err
	}
	if len(s.Backends) == 0 {
		return errors.New("no backends in " + w.path)
	}
	w.apply(s)
	return nil
}

func (w *Watcher) apply(s Settings) {
	if s.Revision <= w.cur.Revision {
		return
	}
	w.mu.Lock()
	w.cur = s
	w.mu.Unlock()
	for _, fn := range w.subs {
		fn(s)
	}
}
