package broken

import (
	"sync"
	"sync/atomic"
	"time"
)

// flag is atomic by its methods.
type flag int32

func (f *flag) isSet() bool { return atomic.LoadInt32((*int32)(f)) != 0 }
func (f *flag) set()        { atomic.StoreInt32((*int32)(f), 1) }

type Door struct {
	shut   flag
	done   chan struct{}
	mu     sync.RWMutex
	last   time.Time
	opened time.Time
}

func (d *Door) Shut() {
	if d.shut.isSet() { // want `both pass the test of d.shut \(in d.shut.isSet\) and close d.done twice: two atomic operations are not one`
		return
	}
	d.shut.set()
	close(d.done)
}

// Knock may be answered once a second.
func (d *Door) Knock() bool {
	d.mu.RLock()
	early := time.Since(d.last) < time.Second // want `both pass the test of d.last and both set it: d.mu is held for reading first and taken for writing later`
	d.mu.RUnlock()
	if early {
		return false
	}
	d.mu.Lock()
	d.last = time.Now()
	d.mu.Unlock()
	return true
}

// Open remembers when, which is about the same for two.
func (d *Door) Open() {
	d.mu.RLock()
	before := d.opened.IsZero()
	d.mu.RUnlock()
	if before {
		d.mu.Lock()
		d.opened = time.Now()
		d.mu.Unlock()
	}
}
