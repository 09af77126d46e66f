package broken

import (
	"sync"
	"sync/atomic"
)

type TollBooth struct {
	mu      sync.Mutex
	cash    int
	passed  atomic.Int64
	lanes   map[string]int
	byPlan  sync.Map // plan -> int
	plates  sync.Map // plan -> []string
	tallies sync.Map // plan -> tollTally
}

type tollTally struct {
	cars  int
	total float64
}

func (b *TollBooth) Take(n int) {
	b.mu.Lock()
	cash := b.cash // want `two goroutines can both read b.cash before either stores it, and one update is lost: b.mu is released in between`
	b.mu.Unlock()
	cash += n
	b.mu.Lock()
	b.cash = cash
	b.mu.Unlock()
}

func (b *TollBooth) Lane(name string, n int) {
	b.mu.Lock()
	have := b.lanes[name] // want `two goroutines can both read b.lanes\[name\] before either stores it, and one update is lost: b.mu is released in between`
	b.mu.Unlock()
	have -= n
	b.mu.Lock()
	b.lanes[name] = have
	b.mu.Unlock()
}

func (b *TollBooth) Pass(n int64) {
	sum := b.passed.Load() // want `two goroutines can both read b.passed before either stores it, and one update is lost: two atomic operations are not one`
	sum += n
	b.passed.Store(sum)
}

func (b *TollBooth) Plan(plan string, n int) int {
	sum := 0
	if v, ok := b.byPlan.Load(plan); ok { // want `two goroutines can both read b.byPlan\[plan\] before either stores it, and one update is lost: Load and Store are two operations`
		sum = v.(int)
	}
	sum += n
	b.byPlan.Store(plan, sum)
	return sum
}

func (b *TollBooth) PlanOnce(plan string) {
	var sum int
	if v, ok := b.byPlan.Load(plan); ok { // want `two goroutines can both read b.byPlan\[plan\] before either stores it, and one update is lost: Load and Store are two operations`
		sum = v.(int)
	}
	sum++
	b.byPlan.Store(plan, sum)
}

func (b *TollBooth) Plate(plan, plate string) {
	var list []string
	if v, ok := b.plates.Load(plan); ok { // want `two goroutines can both read b.plates\[plan\] before either stores it, and one update is lost: Load and Store are two operations`
		list = v.([]string)
	}
	list = append(list, plate)
	b.plates.Store(plan, list)
}

func (b *TollBooth) PlateAtOnce(plan, plate string) {
	v, _ := b.plates.Load(plan) // want `two goroutines can both read b.plates\[plan\] before either stores it, and one update is lost: Load and Store are two operations`
	list, _ := v.([]string)
	b.plates.Store(plan, append(list, plate))
}

func (b *TollBooth) Tally(plan string, amount float64) {
	var t tollTally
	if v, ok := b.tallies.Load(plan); ok { // want `two goroutines can both read b.tallies\[plan\] before either stores it, and one update is lost: Load and Store are two operations`
		t = v.(tollTally)
	}
	t.cars++
	t.total += amount
	b.tallies.Store(plan, t)
}

func (b *TollBooth) Serve() {
	for range 2 {
		go b.Take(1)
	}
}
