package broken

import (
	"fmt"
	"sync"
)

type seatPlan struct {
	sync.RWMutex
	taken map[string]bool
}

func (p *seatPlan) isTaken(seat string) bool {
	p.RLock()
	defer p.RUnlock()
	return p.taken[seat]
}

func (p *seatPlan) free(seat string) {
	p.Lock()
	defer p.Unlock()
	p.taken[seat] = false
}

// Seater has a plan with a lock, which it takes itself once it has asked.
type Seater struct {
	plan *seatPlan
	door chan string
}

func (d *Seater) Taken(seat any) bool { return d.plan.isTaken(fmt.Sprint(seat)) }

func (d *Seater) Lead(seat any) {
	if d.Taken(seat) { // want `two goroutines can both pass the test of d.plan.taken \(in d.Taken\) and both set it`
		return
	}
	name := fmt.Sprint(seat)
	d.plan.Lock()
	d.plan.taken[name] = true
	d.plan.Unlock()
	d.door <- name
}

func (d *Seater) Leave(seat any) { d.plan.free(fmt.Sprint(seat)) }
