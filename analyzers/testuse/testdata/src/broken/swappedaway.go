package broken

import (
	"net"
	"sync"
	"time"
)

// A RowLedger collects rows for the rowBatch that is open.
type RowLedger struct {
	mu       sync.RWMutex
	rowBatch *rowBatch
}

type rowBatch struct {
	rows []int
	n    int
}

func (l *RowLedger) open() *rowBatch {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.rowBatch
}

func (l *RowLedger) Add(row int) {
	b := l.open() // want `\(\*RowLedger\).Commit can take what b has and put another in its place once l.mu is released: what is added here is lost`
	if b == nil {
		return
	}
	l.mu.Lock()
	b.rows = append(b.rows, row)
	l.mu.Unlock()
}

func (l *RowLedger) Commit() []int {
	l.mu.Lock()
	defer l.mu.Unlock()
	rows := l.rowBatch.rows
	l.rowBatch = &rowBatch{}
	return rows
}

// A Doorman turns away who is one too many.
type Doorman struct {
	mu     sync.Mutex
	inside map[net.Conn]struct{}
	most   int
}

func (d *Doorman) Serve(l net.Listener) error {
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		go d.admit(c)
	}
}

func (d *Doorman) admit(c net.Conn) {
	d.mu.Lock()
	n := len(d.inside) // want `two goroutines can both pass the test of d.inside and both set it: d.mu is released in between`
	d.mu.Unlock()
	if n >= d.most {
		c.Close()
		return
	}
	d.mu.Lock()
	d.inside[c] = struct{}{}
	d.mu.Unlock()
}

// A Reminder reminds once in a while.
type Reminder struct {
	mu   sync.Mutex
	next map[string]time.Time
}

func (r *Reminder) due(k string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return time.Now().After(r.next[k])
}

func (r *Reminder) Remind(k string, f func()) {
	if r.due(k) { // want `two goroutines can both pass the test of r.next \(in r.due\) and both set it: r.mu is released in between`
		f()
		r.mu.Lock()
		r.next[k] = time.Now().Add(time.Minute)
		r.mu.Unlock()
	}
}
