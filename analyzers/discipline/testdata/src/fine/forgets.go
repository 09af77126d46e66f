package fine

import (
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"time"
)

// peerTable has a sweeper that takes the lock.
type peerTable struct {
	mu    sync.RWMutex
	heard map[string]time.Time
	own   map[string]int
	load  map[string]int
}

func WatchPeers() *peerTable {
	t := &peerTable{heard: map[string]time.Time{}, load: map[string]int{}, own: map[string]int{}}
	go func() {
		for {
			t.sweep()
			time.Sleep(time.Second)
		}
	}()
	return t
}

func (t *peerTable) sweep() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for name, at := range t.heard {
		if time.Since(at) > time.Minute {
			t.forget(name)
		}
	}
	t.own["sweeps"]++
}

// forget is called by those who have the table to themselves.
func (t *peerTable) forget(name string) {
	delete(t.heard, name)
}

func (t *peerTable) Heard(name string) {
	t.mu.Lock()
	t.heard[name] = time.Now()
	t.mu.Unlock()
}

func (t *peerTable) SetLoad(name string, n int) {
	t.mu.Lock()
	t.load[name] = n
	t.mu.Unlock()
}

func (t *peerTable) LoadOf(name string) int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.load[name]
}

// Report hands on a copy, made under the lock.
func (t *peerTable) Report(out chan<- string) {
	t.mu.RLock()
	load := maps.Clone(t.load)
	t.mu.RUnlock()
	go func() {
		for _, line := range lines(load) {
			out <- line
		}
	}()
}

func lines(load map[string]int) []string {
	var list []string
	for name, n := range load {
		list = append(list, fmt.Sprint(name, n))
	}
	return list
}

// stepOptions is built step by step, by whoever makes it.
type stepOptions struct {
	mu    sync.Mutex
	names []string
}

func (o *stepOptions) WithName(name string) *stepOptions {
	o.names = append(o.names, name)
	return o
}

func (o *stepOptions) Names() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.names
}

func (o *stepOptions) Drop() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.names = nil
}

var lastTicket uint64

type Ticket struct{ name string }

// NewTicket takes the number that it has counted.
func NewTicket() *Ticket {
	return &Ticket{fmt.Sprint("ticket ", atomic.AddUint64(&lastTicket, 1))}
}
