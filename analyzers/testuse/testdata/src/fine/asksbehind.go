package fine

import (
	"fmt"
	"sync"
)

type stallPlan struct {
	sync.RWMutex
	taken map[string]bool
}

func (p *stallPlan) isTaken(stall string) bool {
	p.RLock()
	defer p.RUnlock()
	return p.taken[stall]
}

func (p *stallPlan) free(stall string) {
	p.Lock()
	defer p.Unlock()
	p.taken[stall] = false
}

// Market looks again under the lock.
type Market struct {
	plan *stallPlan
	door chan string
}

func (m *Market) Taken(stall any) bool { return m.plan.isTaken(fmt.Sprint(stall)) }

func (m *Market) Let(stall any) {
	if m.Taken(stall) {
		return
	}
	name := fmt.Sprint(stall)
	m.plan.Lock()
	if m.plan.taken[name] {
		m.plan.Unlock()
		return
	}
	m.plan.taken[name] = true
	m.plan.Unlock()
	m.door <- name
}

// LetBeside asks for one and takes another.
func (m *Market) LetBeside(stall, beside int) {
	if m.Taken(stall) {
		return
	}
	name := fmt.Sprint(beside)
	m.plan.Lock()
	m.plan.taken[name] = true
	m.plan.Unlock()
}

func (m *Market) Leave(stall any) { m.plan.free(fmt.Sprint(stall)) }
