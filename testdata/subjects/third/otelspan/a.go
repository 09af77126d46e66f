package otelspan

import (
	"sync"
	"time"
)

type Attr struct{ Key, Value string }

type Link struct {
	TraceID, SpanID string
	Attrs           []Attr
}

type Event struct {
	Name string
	At   time.Time
}

type Data struct {
	Name   string
	Events []Event
	Links  []Link
	Attrs  []Attr
}

type Processor interface{ OnEnd(Data) }

type Span struct {
	mu     sync.Mutex
	name   string
	ended  bool
	events []Event
	links  []Link
	attrs  []Attr
	proc   Processor
}

func Start(name string, p Processor, attrs ...Attr) *Span {
	return &Span{name: name, proc: p, attrs: attrs}
}

func (s *Span) AddEvent(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	s.events = append(s.events, Event{Name: name, At: time.Now()})
}

func (s *Span) AddLink(l Link) {
	if l.TraceID == "" || l.SpanID == "" {
		return
	}
	s.links = append(s.links, l)
}

func (s *Span) End() {
	s.mu.Lock()
	if s.ended {
		s.mu.Unlock()
		return
	}
	s.ended = true
	d := Data{Name: s.name, Events: s.events, Attrs: s.attrs}
	d.Links = append([]Link(nil), s.links...)
	s.mu.Unlock()
	s.proc.OnEnd(d)
}
