package geodb

import (
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
)

type database map[string]string

type Reader struct {
	path string
	mu   sync.Mutex
	ptr  atomic.Pointer[database]
}

func NewReader(path string) *Reader { return &Reader{path: path} }

func (r *Reader) db() (database, error) {
	if d := r.ptr.Load(); d != nil {
		return *d, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if d := r.ptr.Load(); d != nil {
		return *d, nil
	}
	raw, err := os.ReadFile(r.path)
	if err != nil {
		return nil, err
	}
	var d database
	if err := json.Unmarshal(raw, &d); err != nil {
		return nil, fmt.Errorf("geodb %s: %w", r.path, err)
	}
	r.ptr.Store(&d)
	return d, nil
}

func (r *Reader) Country(prefix string) (string, error) {
	d, err := r.db()
	if err != nil {
		return "", err
	}
	c, ok := d[prefix]
	if !ok {
		return "", fmt.Errorf("geodb: no entry for %s", prefix)
	}
	return c, nil
}
