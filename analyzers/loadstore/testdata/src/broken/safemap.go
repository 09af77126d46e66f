package broken

import "safemaps"

// Penalties adds up what each queue has to wait.
type Penalties struct {
	by *safemaps.SyncMap[string, map[string]int]
}

func (p *Penalties) Peek(queue string) map[string]int {
	v, _ := p.by.Get(queue)
	return v
}

// The map has a lock for each call, and none for two.
func (p *Penalties) Push(queue string, more map[string]int) {
	p.by.Add(queue, sum(p.Peek(queue), more)) // want `two goroutines can both read p.by.m \(in p.Peek\) before either stores it, and one update is lost`
}

func sum(a, b map[string]int) map[string]int {
	c := map[string]int{}
	for _, m := range []map[string]int{a, b} {
		for k, v := range m {
			c[k] += v
		}
	}
	return c
}
