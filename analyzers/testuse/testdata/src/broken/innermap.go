package broken

import "sync"

// SeatPlan counts seats by hall and class.
type SeatPlan struct {
	mu    sync.Mutex
	seats map[string]map[string]int
	most  int
}

func (p *SeatPlan) taken(hall, class string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seats[hall][class]
}

func (p *SeatPlan) take(in, kind string, n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	classes := p.seats[in]
	if classes == nil {
		classes = make(map[string]int)
		p.seats[in] = classes
	}
	classes[kind] += n
}

// Sell looks and acts by two methods, whose parameters have other names.
func (p *SeatPlan) Sell(h, c string, n int) bool {
	if p.taken(h, c)+n > p.most { // want `two goroutines can both pass the test of p.seats\[h\] \(in p.taken\) and both set it: p.mu is released in between`
		return false
	}
	p.take(h, c, n)
	return true
}

// Move acts on another hall than it looks at.
func (p *SeatPlan) Move(h, to, c string) bool {
	if p.taken(h, c) == 0 {
		return false
	}
	p.take(to, c, 1)
	return true
}

// SellFirst knows the class by a constant.
func (p *SeatPlan) SellFirst(h string) bool {
	if p.first(h) >= p.most { // want `two goroutines can both pass the test of p.seats\[h\] \(in p.first\) and both set it: p.mu is released in between`
		return false
	}
	p.addFirst(h)
	return true
}

const firstClass = "first"

func (p *SeatPlan) first(hall string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seats[hall][firstClass]
}

func (p *SeatPlan) addFirst(hall string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seats[hall][firstClass]++
}
