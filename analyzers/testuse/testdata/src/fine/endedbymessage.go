package fine

import (
	"sync"
	"sync/atomic"
)

type agendaLookup struct {
	id    int
	reply chan string
}

// Agenda sends in the critical section of the look.
type Agenda struct {
	mu      sync.Mutex
	running bool
	entries map[int]string
	ask     chan agendaLookup
	stop    chan struct{}
}

func (p *Agenda) Start() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running {
		return
	}
	p.running = true
	go p.run()
}

func (p *Agenda) run() {
	for {
		select {
		case l := <-p.ask:
			l.reply <- p.entries[l.id]
		case <-p.stop:
			return
		}
	}
}

func (p *Agenda) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running {
		p.stop <- struct{}{}
		p.running = false
	}
}

func (p *Agenda) Entry(id int) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running {
		l := agendaLookup{id, make(chan string, 1)}
		p.ask <- l
		return <-l.reply
	}
	return p.entries[id]
}

// TwiceLooked looks again with the lock.
type TwiceLooked struct {
	mu      sync.Mutex
	running atomic.Bool
	lines   chan string
	stop    chan chan error
}

func (s *TwiceLooked) Put(line string) bool {
	if !s.running.Load() {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.running.Load() {
		return false
	}
	s.lines <- line
	return true
}

func (s *TwiceLooked) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.running.Load() {
		return nil
	}
	defer s.running.Store(false)
	c := make(chan error)
	s.stop <- c
	return <-c
}

func (s *TwiceLooked) Start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running.Load() {
		return
	}
	s.running.Store(true)
	go s.run()
}

func (s *TwiceLooked) run() {
	for {
		select {
		case l := <-s.lines:
			println(l)
		case c := <-s.stop:
			c <- nil
			return
		}
	}
}

// Paused goes on to receive when it was told to do less.
type Paused struct {
	mu     sync.Mutex
	paused bool
	lines  chan string
	pause  chan bool
}

func (s *Paused) Start() { go s.run() }

func (s *Paused) run() {
	for {
		select {
		case l := <-s.lines:
			println(l)
		case p := <-s.pause:
			println(p)
		}
	}
}

func (s *Paused) Pause() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.paused = true
	s.pause <- true
}

func (s *Paused) Put(line string) {
	s.mu.Lock()
	paused := s.paused
	s.mu.Unlock()
	if !paused {
		s.lines <- line
	}
}
