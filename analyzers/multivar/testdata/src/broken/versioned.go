package broken

import (
	"sync"
	"sync/atomic"
)

// Almanac raises its edition before it stores what it is the edition of.
type Almanac struct {
	writing sync.Mutex
	edition atomic.Uint64
	text    atomic.Pointer[string]
	mu      sync.RWMutex
	tables  map[string]int
	stamp   int64
	body    atomic.Value
}

func (a *Almanac) Reprint(text string) {
	a.writing.Lock()
	defer a.writing.Unlock()
	a.edition.Add(1) // want `a.edition is raised before a.text is stored: \(\*Reader\).Text can find the new number, take the old value for it, and not look again`
	a.text.Store(&text)
}

type Reader struct {
	of      *Almanac
	edition uint64
	text    string
	tables  map[string]int
	stamp   int64
	body    []byte
}

func (r *Reader) Text() string {
	if edition := r.of.edition.Load(); edition != r.edition {
		r.text = *r.of.text.Load()
		r.edition = edition
	}
	return r.text
}

// Tabulate stores under a lock, by another method.
func (a *Almanac) Tabulate(tables map[string]int, stamp int64) {
	atomic.StoreInt64(&a.stamp, stamp) // want `a.stamp is raised before a.tables is stored: \(\*Reader\).Tables can find the new number`
	a.setTables(tables)
}

func (a *Almanac) setTables(tables map[string]int) {
	a.mu.Lock()
	a.tables = tables
	a.mu.Unlock()
}

func (a *Almanac) Stamp() int64 { return atomic.LoadInt64(&a.stamp) }

func (r *Reader) Tables() map[string]int {
	stamp := r.of.Stamp()
	if stamp == r.stamp {
		return r.tables
	}
	r.stamp = stamp
	r.of.mu.RLock()
	defer r.of.mu.RUnlock()
	r.tables = r.of.tables
	return r.tables
}
