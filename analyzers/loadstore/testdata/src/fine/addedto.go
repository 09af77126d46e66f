package fine

import (
	"sync"
	"sync/atomic"
)

type TollGate struct {
	mu     sync.Mutex
	cash   int
	passed atomic.Int64
	byPlan sync.Map // plan -> int
	prices sync.Map // plan -> int
	names  sync.Map // plan -> []string
}

func (g *TollGate) Take(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	cash := g.cash
	cash += n
	g.cash = cash
}

func (g *TollGate) Pass(n int64) {
	for {
		old := g.passed.Load()
		sum := old
		sum += n
		if g.passed.CompareAndSwap(old, sum) {
			return
		}
	}
}

// Plan is the only one that changes what is in byPlan, under the lock.
func (g *TollGate) Plan(plan string, n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	sum := 0
	if v, ok := g.byPlan.Load(plan); ok {
		sum = v.(int)
	}
	sum += n
	g.byPlan.Store(plan, sum)
}

// Price adds up what anybody would.
func (g *TollGate) Price(plan string) int {
	if v, ok := g.prices.Load(plan); ok {
		return v.(int)
	}
	sum := 0
	for i := range plan {
		sum += int(plan[i])
	}
	g.prices.Store(plan, sum)
	return sum
}

func (g *TollGate) Names(plan string) []string {
	v, ok := g.names.Load(plan)
	if ok {
		return v.([]string)
	}
	var list []string
	for _, r := range plan {
		list = append(list, string(r))
	}
	g.names.Store(plan, list)
	return list
}

// Later takes the count afresh and tells of it: nothing is stored.
func (g *TollGate) Later(n int64) int64 {
	sum := g.passed.Load()
	sum += n
	return sum
}

func (g *TollGate) Serve() {
	for range 2 {
		go g.Take(1)
		go g.Plan("a", 1)
	}
}
