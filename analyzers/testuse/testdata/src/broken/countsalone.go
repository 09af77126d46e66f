package broken

import (
	"sync"
	"sync/atomic"
)

// Answers has two goroutines for each name.
type Answers struct {
	mu    sync.Mutex
	due   map[string]*chit
	out   chan string
	ended chan struct{}
}

type chit struct{ n int64 }

func (t *chit) add(by int64) { atomic.AddInt64(&t.n, by) }

func (t *chit) get() int64 { return atomic.LoadInt64(&t.n) }

func (a *Answers) Serve(names <-chan string) {
	for name := range names {
		a.mu.Lock()
		due, ok := a.due[name]
		if !ok {
			due = &chit{}
			a.due[name] = due
			go a.answer(name, due)
			go a.answer(name, due)
		}
		due.add(1)
		a.mu.Unlock()
	}
}

func (a *Answers) answer(name string, due *chit) {
	for due.get() > 0 { // want `two goroutines can both pass the test of due.n \(in due.get\) and both add to it`
		select {
		case a.out <- name:
			due.add(-1)
		case <-a.ended:
			return
		}
	}
}

// Debts are paid by a goroutine each, and forgiven by others.
type Debts struct {
	mu   sync.Mutex
	owed map[string]*debt
	out  chan string
}

type debt struct{ n int64 }

func (d *debt) add(by int64) { atomic.AddInt64(&d.n, by) }

func (d *debt) get() int64 { return atomic.LoadInt64(&d.n) }

func (d *Debts) Serve(names <-chan string) {
	for name := range names {
		d.mu.Lock()
		owed, ok := d.owed[name]
		if !ok {
			owed = &debt{}
			d.owed[name] = owed
			go d.pay(name, owed)
		}
		owed.add(1)
		d.mu.Unlock()
	}
}

func (d *Debts) Forgive(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if owed := d.owed[name]; owed != nil {
		owed.add(-1)
	}
}

func (d *Debts) pay(name string, owed *debt) {
	for owed.get() > 0 { // want `two goroutines can both pass the test of owed.n \(in owed.get\) and both add to it`
		d.out <- name
		owed.add(-1)
	}
}
