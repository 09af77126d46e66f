// Package sessions has links that come and go.
package sessions

import "sync/atomic"

type Link struct{ waiting int }

func (l *Link) Waiting() int { return l.waiting }

// A Session is safe for concurrent use by multiple goroutines.
type Session struct {
	link atomic.Pointer[Link]
	last atomic.Pointer[Link]
}

type Linked interface{ Current() *Link }

func (s *Session) Attach(l *Link) { s.link.Store(l); s.last.Store(l) }

func (s *Session) Detach() { s.link.Store(nil) }

func (s *Session) Current() *Link { return s.link.Load() }

func (s *Session) Last() *Link { return s.last.Load() }
