package callees

import "sync"

// Order comes over a channel, while whoever has placed it can still withdraw it.
type Order struct {
	sync.Mutex
	state int
	do    func()
}

func (o *Order) State() int {
	o.Lock()
	defer o.Unlock()
	return o.state
}

func (o *Order) setState(s int) {
	o.Lock()
	o.state = s
	o.Unlock()
}

// begin looks and acts in one critical section.
func (o *Order) begin() bool {
	o.Lock()
	defer o.Unlock()
	if o.state != 0 {
		return false
	}
	o.state = 1
	return true
}

func (o *Order) Withdraw() bool {
	o.Lock()
	defer o.Unlock()
	if o.state != 0 {
		return false
	}
	o.state = 2
	return true
}

func work(orders chan *Order) {
	for range 4 {
		go func() {
			for o := range orders {
				carryOut(o)
			}
		}()
	}
}

func carryOut(o *Order) {
	if o.State() != 0 { // want `two goroutines can both pass the test of o.state \(in o.State\) and both set it`
		return
	}
	o.setState(1)
	o.do()
}

func workAtOnce(orders chan *Order) {
	for range 4 {
		go func() {
			for o := range orders {
				if o.begin() {
					o.do()
				}
			}
		}()
	}
}

// slip has no lock: who receives one has it alone.
type slip struct{ n int }

func (s *slip) count() int { return s.n }

func (s *slip) set(n int) { s.n = n }

func sort(slips chan *slip) {
	for range 4 {
		go func() {
			for s := range slips {
				if s.count() == 0 {
					s.set(1)
				}
			}
		}()
	}
}
