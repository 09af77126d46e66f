// Package tounique gives each upload a number of its own.
package tounique

import (
	"sync"
	"sync/atomic"
	"time"
)

type upload struct {
	size    int
	started time.Time
}

// Uploads are never stored twice under one number.
type Uploads struct {
	last atomic.Int64
	mu   sync.RWMutex
	all  map[int64]*upload
	size int
}

// New makes an empty one.
func New() *Uploads { return &Uploads{all: map[int64]*upload{}} }

// Begin begins one.
func (u *Uploads) Begin(size int) int64 {
	id := u.last.Add(1)
	u.put(id, &upload{size: size, started: time.Now()})
	return id
}

func (u *Uploads) put(id int64, up *upload) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.all[id] = up
	u.size += up.size
}

// Abort ends one that has taken too long.
func (u *Uploads) Abort(id int64) bool {
	u.mu.RLock()
	up := u.all[id]
	u.mu.RUnlock()
	if up == nil || time.Since(up.started) < time.Hour {
		return false
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if old, ok := u.all[id]; ok {
		u.size -= old.size
		delete(u.all, id)
		return true
	}
	return false
}

// Size is the sum.
func (u *Uploads) Size() int {
	u.mu.RLock()
	defer u.mu.RUnlock()
	return u.size
}
