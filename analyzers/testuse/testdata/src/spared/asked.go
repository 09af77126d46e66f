package spared

import "sync/atomic"

// selector is the package's own: nobody else calls what it asks for.
type selector interface{ Contact() }

// Picker is for others to call through.
type Picker interface{ Pick() }

type pairs struct {
	chosen atomic.Int32
	tasks  chan func()
}

type contacting struct{ of *pairs }

// Contact is called through a selector, which check sends to the loop.
func (c *contacting) Contact() {
	if c.of.chosen.Load() < 3 {
		announce()
		c.of.chosen.Add(1)
	}
}

type picking struct{ of *pairs }

// Pick can be called by anybody who has a Picker.
func (p *picking) Pick() {
	if p.of.chosen.Load() < 3 { // want `both pass the test of p.of.chosen and both add to it`
		announce()
		p.of.chosen.Add(1)
	}
}

func newPairs() *pairs {
	p := &pairs{tasks: make(chan func())}
	go func() {
		for f := range p.tasks {
			f()
		}
	}()
	return p
}

func (p *pairs) check(s selector) {
	p.tasks <- func() { s.Contact() }
}

func announce() {}
