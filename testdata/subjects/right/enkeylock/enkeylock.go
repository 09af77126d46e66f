// Package enkeylock changes the level of a device under the device's own lock.
package enkeylock

import "sync"

type keyed struct {
	mu sync.Mutex
	m  map[string]*sync.Mutex
}

func (k *keyed) lock(key string) func() {
	k.mu.Lock()
	if k.m == nil {
		k.m = map[string]*sync.Mutex{}
	}
	l := k.m[key]
	if l == nil {
		l = new(sync.Mutex)
		k.m[key] = l
	}
	k.mu.Unlock()
	l.Lock()
	return l.Unlock
}

type device struct{ level int }

// Devices are changed by one at a time each: all that change one take its key first.
type Devices struct {
	keys keyed
	mu   sync.RWMutex
	all  map[string]*device
}

// New makes some.
func New(names ...string) *Devices {
	d := &Devices{all: map[string]*device{}}
	for _, n := range names {
		d.all[n] = &device{}
	}
	return d
}

// Level is the level of a device.
func (d *Devices) Level(name string) int {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if x, ok := d.all[name]; ok {
		return x.level
	}
	return -1
}

func (d *Devices) set(name string, level int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if x, ok := d.all[name]; ok {
		x.level = level
	}
}

// Dim dims it if it is bright.
func (d *Devices) Dim(name string, by func() int) {
	unlock := d.keys.lock(name)
	defer unlock()
	if d.Level(name) > 50 {
		d.set(name, by())
	}
}

// Off turns it off.
func (d *Devices) Off(name string) {
	unlock := d.keys.lock(name)
	defer unlock()
	d.set(name, 0)
}
