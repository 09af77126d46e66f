package fine

import "sync"

// Terminal has its file from Open on.
type Terminal struct {
	mu   sync.Mutex
	file *int
	rows int
}

func (t *Terminal) Open(file *int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.file = file
}

func (t *Terminal) File() *int { return t.file }

func (t *Terminal) Rows() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.rows + *t.file
}

// Ledgers is not read under the lock by anybody but who writes it.
type Ledgers struct {
	mu   sync.Mutex
	rows []int
}

func (l *Ledgers) Add(row int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rows = append(l.rows, row)
}

func (l *Ledgers) Rows() []int { return l.rows }

// Single takes what it waits for along.
type Single struct {
	mu     sync.Mutex
	active bool
	done   *sync.WaitGroup
}

func (s *Single) Do(fn func()) {
	s.mu.Lock()
	if s.active {
		done := s.done
		s.mu.Unlock()
		done.Wait()
		return
	}
	s.active = true
	s.done = new(sync.WaitGroup)
	s.done.Add(1)
	s.mu.Unlock()
	fn()
	s.done.Done() // nobody stores another one before active is false
	s.mu.Lock()
	s.active = false
	s.mu.Unlock()
}

// Lazily is made once.
type Lazily struct {
	mu     sync.RWMutex
	client *int
}

func (l *Lazily) Client() *int {
	l.mu.RLock()
	if l.client != nil {
		l.mu.RUnlock()
		return l.client
	}
	l.mu.RUnlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.client == nil {
		l.client = new(int)
	}
	return l.client
}

// Blocking waits for what it has made itself.
type Blocking struct {
	mu   sync.Mutex
	stop chan struct{}
}

func (b *Blocking) Run() {
	b.mu.Lock()
	b.stop = make(chan struct{}, 1)
	b.mu.Unlock()

	<-b.stop

	b.mu.Lock()
	b.stop = nil
	b.mu.Unlock()
}

func (b *Blocking) Stop() {
	b.mu.Lock()
	if b.stop != nil {
		close(b.stop)
	}
	b.mu.Unlock()
}

func (b *Blocking) Running() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.stop != nil
}
