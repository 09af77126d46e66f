package broken

import (
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"time"
)

// peerTable forgets those who have not been heard of.
type peerTable struct {
	mu    sync.RWMutex
	heard map[string]time.Time
	load  map[string]int
	total int
}

func WatchPeers() *peerTable {
	t := &peerTable{heard: map[string]time.Time{}, load: map[string]int{}}
	go func() {
		for {
			t.sweep()
			time.Sleep(time.Second)
		}
	}()
	return t
}

func (t *peerTable) sweep() {
	for name, at := range t.heard {
		if time.Since(at) > time.Minute {
			delete(t.heard, name) // want `t.heard is changed here without t.mu, which all other functions hold that change it, as \(\*peerTable\).Heard does`
		}
	}
}

func (t *peerTable) Heard(name string) {
	t.mu.Lock()
	t.heard[name] = time.Now()
	t.mu.Unlock()
}

func (t *peerTable) Count() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	n := 0
	for range t.heard {
		n++
	}
	return n
}

// Known does not care whether it is right; the map does.
func (t *peerTable) Known(name string) bool {
	_, ok := t.heard[name]
	return ok
}

// SetLoad and the goroutine of Report meet in the map.
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

func (t *peerTable) Report(out chan<- string) {
	go func() {
		for _, line := range lines(t.load) { // want `lines looks into t.load here without t.mu, which all functions hold that change it, as \(\*peerTable\).SetLoad does`
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

// loadBook is like it, and hands its map to another package.
type loadBook struct {
	mu   sync.Mutex
	load map[string]int
}

func NewLoadBook() *loadBook { return &loadBook{load: map[string]int{}} }

func (b *loadBook) Set(name string, n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.load[name] = n
}

func (b *loadBook) Of(name string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.load[name]
}

func (b *loadBook) Copy() map[string]int {
	return maps.Clone(b.load) // want `maps.Clone looks into b.load here without b.mu`
}

// stepLog is given steps by many, and writes them off in batches.
type stepLog struct {
	mu    sync.Mutex
	steps []string
	max   int
}

func NewStepLog(max int) *stepLog { return &stepLog{max: max} }

func (l *stepLog) WithStep(step string) {
	l.mu.Lock()
	l.steps = append(l.steps, step)
	l.mu.Unlock()
	if len(l.steps) >= l.max { // want `l.steps is accessed here without the lock that all other functions hold for it`
		l.Flush()
	}
}

func (l *stepLog) Flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.steps = nil
}

var lastTicket uint64

type Ticket struct{ name string }

// NewTicket counts, and then looks how far all have counted.
func NewTicket() *Ticket {
	atomic.AddUint64(&lastTicket, 1)
	return &Ticket{fmt.Sprint("ticket ", lastTicket)} // want `lastTicket is accessed without sync/atomic here and with it elsewhere`
}
