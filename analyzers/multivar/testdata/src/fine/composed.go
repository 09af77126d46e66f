package fine

import "sync"

type Bench struct {
	mu    sync.RWMutex
	round uint64
	chair string
}

type benchStatus struct {
	Round uint64
	Chair string
}

type bill struct {
	Round uint64
	Chair string
}

func (b *Bench) Round() uint64 {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.round
}

func (b *Bench) Chair() string {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.chair
}

func (b *Bench) Elect(round uint64, chair string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.round, b.chair = round, chair
}

// Status is for people.
func (b *Bench) Status() benchStatus {
	return benchStatus{b.Round(), b.Chair()}
}

// Bill takes both in one critical section.
func (b *Bench) Bill() bill {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return bill{b.round, b.chair}
}

// Checked looks at the first one again.
func (b *Bench) Checked() (bill, bool) {
	round := b.Round()
	b.mu.RLock()
	defer b.mu.RUnlock()
	if b.round != round {
		return bill{}, false
	}
	return bill{round, b.chair}, true
}

// firstBill has the bench for itself.
func firstBill() bill {
	b := &Bench{}
	b.Elect(1, "none")
	return bill{b.Round(), b.Chair()}
}
