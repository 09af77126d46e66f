package broken

import (
	"sync"
	"sync/atomic"
)

type planLookup struct {
	id    int
	reply chan string
}

// Plan answers from its goroutine while it runs.
type Plan struct {
	mu      sync.Mutex
	running bool
	entries map[int]string
	ask     chan planLookup
	stop    chan struct{}
}

func (p *Plan) Start() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running {
		return
	}
	p.running = true
	go p.run()
}

func (p *Plan) run() {
	for {
		select {
		case l := <-p.ask:
			l.reply <- p.entries[l.id]
		case <-p.stop:
			return
		}
	}
}

func (p *Plan) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running {
		p.stop <- struct{}{}
		p.running = false
	}
}

func (p *Plan) Entry(id int) string {
	p.mu.Lock()
	if p.running { // want `\(\*Plan\).Stop can have told who receives from p.ask to leave between the look at p.running and the send: it waits for ever`
		p.mu.Unlock()
		l := planLookup{id, make(chan string, 1)}
		p.ask <- l
		return <-l.reply
	}
	defer p.mu.Unlock()
	return p.entries[id]
}

// LineSink writes lines in a goroutine.
type LineSink struct {
	mu      sync.Mutex
	running atomic.Bool
	lines   chan string
	stop    chan chan error
}

func (s *LineSink) Put(line string) bool {
	if !s.running.Load() { // want `\(\*LineSink\).Close can have told who receives from s.lines to leave between the look at s.running and the send, which then panics: the receiver closes it`
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines <- line
	return true
}

func (s *LineSink) Close() error {
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

func (s *LineSink) Start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running.Load() {
		return
	}
	s.running.Store(true)
	s.lines = make(chan string, 8)
	go s.run()
}

func (s *LineSink) run() {
	for {
		select {
		case l := <-s.lines:
			println(l)
		case c := <-s.stop:
			close(s.lines)
			for l := range s.lines {
				println(l)
			}
			c <- nil
			return
		}
	}
}
