package rewrite

import (
	"strings"
	"testing"
)

// TestOwnCopy has a section in a copy of a struct that belongs to the function alone: there
// is nothing to watch for, and the section is not stale.
func TestOwnCopy(t *testing.T) {
	b, _ := benchWith(t, `package main

import "sync"

type span struct{ from, to []byte }

type spans struct {
	mu  sync.Mutex
	all []*span
}

func (s *spans) visit(part span, out chan int) {
	more := func() bool { return len(part.to) > 0 }
	if len(part.from) > 0 {
		if more() {
			println("more")
		}
		out <- len(part.from)
		return
	}
	out <- 0
}

func main() {
	s, out := &spans{all: []*span{{}, {from: []byte("a")}}}, make(chan int)
	for _, p := range s.all {
		go s.visit(*p, out)
		s.mu.Lock()
		p.to = p.from
		s.mu.Unlock()
		<-out
	}
}
`)
	r := b.rewrite(t, Options{Spec: specOf(t, `version: 1
packages:
  - package: golden/p
    variables:
      - variable: span.from
        sections:
          - id: visit
            pattern: test-and-use
            function: (*spans).visit
            entry: {access: read, code: "if len(part.from) > 0"}
            ends: [{access: read, code: "out <- len(part.from)", allow: [read]}]
            origin: testuse
            status: candidate
`)})
	if len(r.Stale) > 0 {
		t.Errorf("stale: %v", r.Stale)
	}
	said := 0
	for _, n := range r.Unhooked {
		if n.Section == "visit" && strings.Contains(n.Reason, "no other goroutine sees") {
			said++
		}
	}
	if said != 1 {
		t.Errorf("%d notes of it: %v", said, r.Unhooked)
	}
}
