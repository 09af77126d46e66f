package fine

import (
	"sync"
	"sync/atomic"
)

type Gazette struct {
	edition atomic.Uint64
	text    atomic.Pointer[string]
	seq     atomic.Uint64
	page    atomic.Pointer[string]
	issue   atomic.Uint64
	lead    atomic.Pointer[string]
	printed atomic.Uint64
	last    atomic.Pointer[string]
	mu      sync.Mutex
	number  atomic.Uint64
	notice  string
}

// Print stores first.
func (g *Gazette) Print(text string) {
	g.text.Store(&text)
	g.edition.Add(1)
}

// Turn raises the number before and after.
func (g *Gazette) Turn(page string) {
	g.seq.Add(1)
	g.page.Store(&page)
	g.seq.Add(1)
}

func (g *Gazette) Lead(lead string) {
	g.issue.Add(1)
	g.lead.Store(&lead)
}

// Count counts what has been printed; nobody goes by it.
func (g *Gazette) Count(last string) {
	g.printed.Add(1)
	g.last.Store(&last)
}

// Notice does both under one lock.
func (g *Gazette) Notice(notice string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.number.Add(1)
	g.notice = notice
}

type Subscriber struct {
	of       *Gazette
	edition  uint64
	text     string
	page     string
	seq      uint64
	issue    uint64
	lead     string
	number   uint64
	notice   string
	progress uint64
}

func (s *Subscriber) Text() string {
	if edition := s.of.edition.Load(); edition != s.edition {
		s.edition = edition
		s.text = *s.of.text.Load()
	}
	return s.text
}

func (s *Subscriber) Page() string {
	if seq := s.of.seq.Load(); seq != s.seq {
		s.page = *s.of.page.Load()
		s.seq = seq
	}
	return s.page
}

// Lead looks at the number again.
func (s *Subscriber) Lead() string {
	issue := s.of.issue.Load()
	if issue == s.issue {
		return s.lead
	}
	s.lead = *s.of.lead.Load()
	if s.of.issue.Load() == issue {
		s.issue = issue
	}
	return s.lead
}

func (s *Subscriber) Progress() (uint64, string) {
	s.progress = s.of.printed.Load()
	return s.progress, *s.of.last.Load()
}

func (s *Subscriber) Notice() string {
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	if number := s.of.number.Load(); number != s.number {
		s.number = number
		s.notice = s.of.notice
	}
	return s.notice
}
