package literals

import (
	"strconv"
	"sync"
)

type berth struct {
	ship  string
	calls int
}

// Harbour hands out its berths.
type Harbour struct {
	mu     sync.Mutex
	berths map[string]*berth
	full   bool
	master *berth
	told   []string
	ended  bool
	over   chan struct{}
}

// Assign leaves the literal early.
func (h *Harbour) Assign(ship string) *berth {
	b, ok := func() (*berth, bool) {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.full {
			return nil, true
		}
		b, ok := h.berths[ship] // want `both pass the test of h.berths\[ship\] and both set it: h.mu is released in between`
		return b, ok
	}()
	if ok {
		return b
	}
	b = &berth{ship: ship}
	b.calls++
	h.mu.Lock()
	h.berths[ship] = b
	h.mu.Unlock()
	return b
}

// Call counts.
func (h *Harbour) Call(b *berth) {
	h.mu.Lock()
	b.calls++
	h.mu.Unlock()
}

// Leave gives the literal what it looks for.
func (h *Harbour) Leave(ship string) {
	var b *berth
	func(name string) {
		h.mu.Lock()
		defer func() { h.mu.Unlock() }()
		b = h.berths[name] // want `both pass the test of h.berths\[ship\] and both set it: h.mu is released in between`
	}(ship)
	if b == nil {
		return
	}
	h.mu.Lock()
	h.berths[ship] = nil
	h.mu.Unlock()
}

// Appoint has the literal in the if.
func (h *Harbour) Appoint(ship string) {
	if m := func() *berth {
		h.mu.Lock()
		defer h.mu.Unlock()
		return h.master // want `both pass the test of h.master and both set it: h.mu is released in between`
	}(); m != nil {
		return
	}
	b := &berth{ship: ship}
	b.calls++
	h.mu.Lock()
	h.master = b
	h.mu.Unlock()
}

// Loop has it in a loop.
func (h *Harbour) Loop(ships []string) {
	for _, ship := range ships {
		func() {
			h.mu.Lock()
			if h.ended { // want `both pass the test of h.ended and close h.over twice: h.mu is released in between`
				h.mu.Unlock()
				return
			}
			h.mu.Unlock()
			if ship == "" {
				h.mu.Lock()
				h.ended = true
				close(h.over)
				h.mu.Unlock()
			}
		}()
	}
}

// count gives each line to a worker that has a name.
func count(lines []string) (n int) {
	bad := make(chan struct{})
	var wg sync.WaitGroup
	for _, line := range lines {
		check := func() {
			defer wg.Done()
			if _, err := strconv.Atoi(line); err != nil {
				select {
				case <-bad: // want `both find bad open and close it twice`
				default:
					close(bad)
				}
			}
		}
		wg.Add(1)
		go check()
	}
	wg.Wait()
	return len(lines)
}

// Dredge does not let go of the lock.
func (h *Harbour) Dredge(ship string) *berth {
	h.mu.Lock()
	defer h.mu.Unlock()
	b, ok := func() (*berth, bool) {
		if h.full {
			return nil, true
		}
		b, ok := h.berths[ship]
		return b, ok
	}()
	if !ok {
		b = &berth{ship: ship}
		h.berths[ship] = b
	}
	return b
}

// Whole does all of it in one literal, from which there is more than one way out.
func (h *Harbour) Whole(ship string) (b *berth) {
	func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if b = h.berths[ship]; b != nil {
			return
		}
		b = &berth{ship: ship}
		h.berths[ship] = b
	}()
	return b
}

// Twice looks again in a literal that returns what the method returns.
func (h *Harbour) Twice(ship string) *berth {
	h.mu.Lock()
	b := h.berths[ship]
	h.mu.Unlock()
	if b != nil {
		return b
	}
	return func() *berth {
		h.mu.Lock()
		defer h.mu.Unlock()
		if b, ok := h.berths[ship]; ok {
			return b
		}
		b := &berth{ship: ship}
		h.berths[ship] = b
		return b
	}()
}

// Drain takes it out and adds to what has come in between.
func (h *Harbour) Drain(send func(string) error) {
	var told []string
	func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		told, h.told = h.told, nil
	}()
	var failed []string
	for _, s := range told {
		if send(s) != nil {
			failed = append(failed, s)
		}
	}
	func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.told = append(failed, h.told...)
	}()
}

// Other looks for the one and stores the other.
func (h *Harbour) Other(old, ship string) {
	b := func(ship string) *berth {
		h.mu.Lock()
		defer h.mu.Unlock()
		return h.berths[ship]
	}(old)
	if b == nil {
		return
	}
	h.mu.Lock()
	h.berths[ship] = &berth{ship: ship}
	h.mu.Unlock()
}

// Start starts two of the same, and each of them looks under the lock.
func (h *Harbour) Start() {
	end := func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if !h.ended {
			h.ended = true
			close(h.over)
		}
	}
	go end()
	stop := h.Stop
	go stop()
}

// Stop looks under the lock.
func (h *Harbour) Stop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.ended {
		h.ended = true
		close(h.over)
	}
}

// Moor panics where it finds one: its callers see to that.
func (h *Harbour) Moor(ship string) {
	func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.master != nil {
			panic("there is a master already")
		}
	}()
	b := &berth{ship: ship}
	b.calls++
	h.mu.Lock()
	h.master = b
	h.mu.Unlock()
}

// Close is left by break.
func (h *Harbour) Close() {
	for {
		h.mu.Lock()
		ended := h.ended // want `both pass the test of h.ended and close h.over twice: h.mu is released in between`
		h.mu.Unlock()
		if ended {
			break
		}
		h.mu.Lock()
		h.ended = true
		close(h.over)
		h.mu.Unlock()
		break
	}
}

// CloseAgain comes round until nobody has come in between.
func (h *Harbour) CloseAgain() {
	for {
		h.mu.Lock()
		n := len(h.told)
		h.mu.Unlock()
		h.mu.Lock()
		if len(h.told) != n {
			h.mu.Unlock()
			continue
		}
		h.told = nil
		h.mu.Unlock()
		return
	}
}
