package labelexport

import (
	"encoding/json"
	"io"
	"maps"
	"sync"
)

type Target struct {
	job string

	mu     sync.RWMutex
	labels map[string]string
}

func NewTarget(job string) *Target {
	return &Target{job: job, labels: map[string]string{"job": job}}
}

func (t *Target) SetLabel(k, v string) {
	t.mu.Lock()
	t.labels[k] = v
	t.mu.Unlock()
}

func (t *Target) DropLabel(k string) {
	t.mu.Lock()
	delete(t.labels, k)
	t.mu.Unlock()
}

func (t *Target) snapshot() map[string]string {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return maps.Clone(t.labels)
}

func (t *Target) Export(w io.Writer) error {
	labels := t.snapshot()
	enc := json.NewEncoder(w)
	for k, v := range labels {
		if err := enc.Encode([2]string{k, v}); err != nil {
			return err
		}
	}
	return nil
}
