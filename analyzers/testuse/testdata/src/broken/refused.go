package broken

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

var errNameTaken = errors.New("name taken")

type deed struct {
	holder string
	at     time.Time
}

// DeedOffice gives each plot to one holder, and tells the others that it is taken.
type DeedOffice struct {
	mu    sync.RWMutex
	deeds map[string]*deed
	open  sync.Map // plot -> deed
}

func (o *DeedOffice) Register(plot, holder string) error {
	o.mu.RLock()
	_, taken := o.deeds[plot] // want `two goroutines can both pass the test of o.deeds\[plot\] and both set it: o.mu is held for reading first and taken for writing later`
	o.mu.RUnlock()
	if taken {
		return fmt.Errorf("plot %s is taken", plot)
	}
	d := &deed{holder, time.Now()}
	o.mu.Lock()
	o.deeds[plot] = d
	o.mu.Unlock()
	return nil
}

func (o *DeedOffice) RegisterOpen(plot, holder string) (*deed, error) {
	if _, taken := o.open.Load(plot); taken { // want `two goroutines can both pass the test of o.open\[plot\] and both set it`
		return nil, errNameTaken
	}
	d := &deed{holder, time.Now()}
	o.open.Store(plot, d)
	return d, nil
}

func (o *DeedOffice) has(plot string) bool {
	o.mu.RLock()
	defer o.mu.RUnlock()
	_, ok := o.deeds[plot]
	return ok
}

func (o *DeedOffice) put(plot string, d *deed) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.deeds[plot] = d
}

func (o *DeedOffice) RegisterBySteps(plot, holder string) error {
	if o.has(plot) { // want `two goroutines can both pass the test of o.deeds \(in o.has\) and both set it: o.mu is held for reading first and taken for writing later`
		return errNameTaken
	}
	o.put(plot, &deed{holder: holder})
	return nil
}

// deedMap is a sync.Map with types.
type deedMap[K comparable, V any] struct{ m sync.Map }

func (m *deedMap[K, V]) Load(k K) (v V, ok bool) {
	x, ok := m.m.Load(k)
	if !ok {
		return v, false
	}
	return x.(V), true
}

func (m *deedMap[K, V]) Store(k K, v V) { m.m.Store(k, v) }

type Archive struct{ deeds deedMap[string, *deed] }

func (a *Archive) File(plot string, d *deed) error {
	if old, _ := a.deeds.Load(plot); old != nil { // want `two goroutines can both pass the test of a.deeds.m \(in a.deeds.Load\) and both set it`
		return errNameTaken
	}
	a.deeds.Store(plot, &deed{holder: d.holder})
	return nil
}

// PlotLocks has a lock for each plot: of two that are made for one plot, each lets one in.
type PlotLocks struct {
	mu    sync.RWMutex
	locks map[string]*sync.Mutex
	open  sync.Map // plot -> *sync.RWMutex
	typed deedMap[string, *sync.Mutex]
	waits map[string]*sync.WaitGroup
}

func (l *PlotLocks) For(plot string) *sync.Mutex {
	l.mu.RLock()
	m, ok := l.locks[plot] // want `two goroutines can both pass the test of l.locks\[plot\] and both set it: l.mu is held for reading first and taken for writing later`
	l.mu.RUnlock()
	if !ok {
		m = &sync.Mutex{}
		l.mu.Lock()
		l.locks[plot] = m
		l.mu.Unlock()
	}
	return m
}

func (l *PlotLocks) Open(plot string) *sync.RWMutex {
	if v, ok := l.open.Load(plot); ok { // want `two goroutines can both pass the test of l.open\[plot\] and both set it`
		return v.(*sync.RWMutex)
	}
	var m sync.RWMutex
	l.open.Store(plot, &m)
	return &m
}

func (l *PlotLocks) Typed(plot string) *sync.Mutex {
	m, ok := l.typed.Load(plot) // want `two goroutines can both pass the test of l.typed.m \(in l.typed.Load\) and both set it`
	if !ok {
		m = new(sync.Mutex)
		l.typed.Store(plot, m)
	}
	return m
}

func (l *PlotLocks) Wait(plot string) sync.Locker {
	var m sync.Locker
	if v, ok := l.open.Load(plot); ok { // want `two goroutines can both pass the test of l.open\[plot\] and both set it`
		m = v.(sync.Locker)
	} else {
		m = &sync.RWMutex{}
		l.open.Store(plot, m)
	}
	return m
}
