package fine

import "sync"

// Each forge has a goroutine of its own, begun in a loop by what makes it, or by its own method.
type forge struct {
	mu   sync.Mutex
	made map[string]*horseshoe
	in   chan string
}

type horseshoe struct{ nails int }

func (f *forge) known(k string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, ok := f.made[k]
	return ok
}

func (f *forge) keep(k string, m *horseshoe) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.made[k] = m
}

func (f *forge) begin(cast func(string) *horseshoe) { go f.work(cast) }

func (f *forge) work(cast func(string) *horseshoe) {
	for k := range f.in {
		if !f.known(k) {
			m := cast(k)
			m.nails++
			f.keep(k, m)
		}
	}
}

type smithy struct{ forges []*forge }

func (s *smithy) open(cast func(string) *horseshoe) {
	f := &forge{made: map[string]*horseshoe{}, in: make(chan string)}
	go f.work(cast)
}

func RunSmithy(n int, cast func(string) *horseshoe) {
	s := &smithy{}
	for range n {
		s.forges = append(s.forges, &forge{made: map[string]*horseshoe{}, in: make(chan string)})
	}
	for _, f := range s.forges {
		f.begin(cast)
	}
	for range n {
		s.open(cast)
	}
}

// A bellows is tried until it goes, and has one goroutine then.
type bellows struct {
	mu   sync.Mutex
	made map[string]*horseshoe
	in   chan string
	up   func() error
}

func (b *bellows) known(k string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, ok := b.made[k]
	return ok
}

func (b *bellows) keep(k string, m *horseshoe) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.made[k] = m
}

func (b *bellows) begin(cast func(string) *horseshoe) error {
	if err := b.up(); err != nil {
		return err
	}
	go b.work(cast)
	return nil
}

func (b *bellows) work(cast func(string) *horseshoe) {
	for k := range b.in {
		if !b.known(k) {
			m := cast(k)
			m.nails++
			b.keep(k, m)
		}
	}
}

func RunBellows(up func() error, cast func(string) *horseshoe) {
	b := &bellows{made: map[string]*horseshoe{}, in: make(chan string), up: up}
	for i := 0; i < 3; i++ {
		if err := b.begin(cast); err == nil {
			break
		}
	}
}
