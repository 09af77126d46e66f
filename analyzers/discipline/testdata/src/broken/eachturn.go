package broken

import "sync"

type gauge2 struct{ value int }

type gaugeRow struct {
	mu     sync.RWMutex
	gauges map[string]*gauge2
}

// Panel has its gauges in rows.
type Panel struct{ rows []*gaugeRow }

func (p *Panel) Each(use func(*gauge2)) {
	for _, row := range p.rows {
		for _, g := range row.gauges { // want `the loop goes through row.gauges without row.mu, which it takes in each turn`
			row.mu.RLock()
			use(g)
			row.mu.RUnlock()
		}
	}
}

func (p *Panel) Add(i int, name string) {
	row := p.rows[i]
	row.mu.Lock()
	defer row.mu.Unlock()
	row.gauges[name] = &gauge2{}
}
