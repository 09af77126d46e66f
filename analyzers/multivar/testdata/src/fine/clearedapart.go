package fine

import "sync"

type tap interface{ Pour() string }

// Pub changes the supplier and lets the taps go in one critical section.
type Pub struct {
	mu   sync.Mutex
	open func(drink string) tap
	taps map[string]tap
}

func (p *Pub) Tap(drink string) tap {
	p.mu.Lock()
	defer p.mu.Unlock()
	t, ok := p.taps[drink]
	if !ok {
		t = p.open(drink)
		p.taps[drink] = t
	}
	return t
}

func (p *Pub) Supplier(open func(drink string) tap) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open = open
	p.taps = make(map[string]tap)
}

// Cards are of texts alone: one of before is as good as one that was asked for before.
type Cards struct {
	mu   sync.Mutex
	head string
	done map[string]string
}

func (c *Cards) For(guest string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.done[guest]; !ok {
		c.done[guest] = write(c.head, guest)
	}
	return c.done[guest]
}

func (c *Cards) Head(head string) {
	c.mu.Lock()
	c.head = head
	c.mu.Unlock()
	c.Forget()
}

func (c *Cards) Forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done = map[string]string{}
}

// Stalls has a note of who was the last to supply, with which no tap is opened.
type Stalls struct {
	mu       sync.Mutex
	supplier func(drink string) tap
	taps     map[string]tap
}

func (s *Stalls) Tap(drink string, open func(drink string) tap) tap {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, ok := s.taps[drink]
	if !ok {
		t = open(drink)
		s.taps[drink] = t
	}
	return t
}

func (s *Stalls) Ask(drink string) tap {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.supplier(drink)
}

func (s *Stalls) Supplier(supplier func(drink string) tap) {
	s.mu.Lock()
	s.supplier = supplier
	s.mu.Unlock()
	s.mu.Lock()
	s.taps = make(map[string]tap)
	s.mu.Unlock()
}

func write(head, guest string) string { return head + " for " + guest }
