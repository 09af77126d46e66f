// Package tokeylock changes each name under a lock of the name.
package tokeylock

import (
	"hash/fnv"
	"sync"
	"time"
)

type record struct {
	addr  string
	until time.Time
}

// Records are changed by one at a time for each name.
type Records struct {
	locks [64]sync.Mutex // of names: taken before mu
	mu    sync.RWMutex
	all   map[string]record
	n     int
}

// New makes none.
func New() *Records { return &Records{all: map[string]record{}} }

func (r *Records) lock(name string) (unlock func()) {
	h := fnv.New32a()
	h.Write([]byte(name))
	l := &r.locks[h.Sum32()%64]
	l.Lock()
	return l.Unlock
}

// Set sets the record of a name.
func (r *Records) Set(name, addr string) {
	defer r.lock(name)()
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.all[name]; !ok {
		r.n++
	}
	r.all[name] = record{addr, time.Now().Add(time.Minute)}
}

// Expire deletes it when it is over, and tells; nobody sets the name meanwhile.
func (r *Records) Expire(name string, tell func(record)) {
	defer r.lock(name)()
	r.mu.RLock()
	x, ok := r.all[name]
	r.mu.RUnlock()
	if !ok || time.Now().Before(x.until) {
		return
	}
	tell(x)
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.all[name]; ok {
		r.n--
		delete(r.all, name)
	}
}

// Addr is the address.
func (r *Records) Addr(name string) string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.all[name].addr
}
