package broken

import (
	"errors"
	"io"
	"sync"
	"time"
)

// A Ticket is good for some time.
type Ticket struct {
	mu    sync.RWMutex
	text  string
	until time.Time
	fetch func() (string, time.Duration, error)
}

// Refresh gives a new text the time of the old one, and what Revoke has taken back a new time.
func (t *Ticket) Refresh() error {
	text, d, err := t.fetch()
	if err != nil {
		return err
	}
	t.mu.Lock()
	t.text = text // want `t.text and t.until are set in two critical sections, one after the other; \(\*Ticket\).Text reads both in one`
	t.mu.Unlock()

	t.mu.Lock()
	t.until = time.Now().Add(d)
	t.mu.Unlock()
	return nil
}

func (t *Ticket) Text() (string, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if time.Now().After(t.until) {
		return "", false
	}
	return t.text, true
}

func (t *Ticket) Revoke() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = ""
	t.until = time.Time{}
}

// A Sheet has rows, and where to find them.
type Sheet struct {
	mu   sync.RWMutex
	rows []string
	line map[string]int
}

func (s *Sheet) Replace(rows []string) {
	s.mu.Lock()
	s.rows = rows // want `s.rows and s.line are set in two critical sections, one after the other; \(\*Sheet\).Row reads both in one`
	s.mu.Unlock()
	line := map[string]int{}
	for i, r := range rows {
		line[r[:1]] = i
	}
	s.mu.Lock()
	s.line = line
	s.mu.Unlock()
}

func (s *Sheet) Row(key string) (string, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	i, ok := s.line[key]
	if !ok {
		return "", false
	}
	return s.rows[i], true
}

// A Rollout can go back by one step.
type Rollout struct {
	mu            sync.RWMutex
	current, last *Sheet
}

func (r *Rollout) Current() *Sheet {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.current
}

func (r *Rollout) setLast(s *Sheet) {
	r.mu.Lock()
	r.last = s
	r.mu.Unlock()
}

func (r *Rollout) setCurrent(s *Sheet) {
	r.mu.Lock()
	r.current = s
	r.mu.Unlock()
}

func (r *Rollout) Roll(s *Sheet) {
	r.setLast(r.Current()) // want `r.last and r.current are set in two critical sections, one after the other; \(\*Rollout\).Back reads both in one`
	r.setCurrent(s)
}

func (r *Rollout) Back() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.current, r.last = r.last, nil
}

// A Hose is said to be on before it is there.
type Hose struct {
	mu sync.Mutex
	on bool
	w  io.Writer
}

func (h *Hose) Redial(dial func() io.Writer) {
	w := dial()
	h.mu.Lock()
	h.on = true // want `h.on is raised in an earlier critical section than the one that sets h.w: \(\*Hose\).Send, which tests the one and uses the other, can come in between`
	h.mu.Unlock()
	h.attach(w)
}

func (h *Hose) attach(w io.Writer) {
	h.mu.Lock()
	h.w = w
	h.mu.Unlock()
}

func (h *Hose) Send(p []byte) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.on {
		return errors.New("off")
	}
	_, err := h.w.Write(p)
	return err
}

func (h *Hose) Drop() {
	h.mu.Lock()
	h.on, h.w = false, nil
	h.mu.Unlock()
}

// A Promise is kept before its result is there.
type Promise struct {
	mu   sync.Mutex
	kept bool
	val  any
}

func (p *Promise) keep() {
	p.mu.Lock()
	p.kept = true
	p.mu.Unlock()
}

func (p *Promise) Keep(v any) {
	p.keep() // want `p.kept is raised in an earlier critical section than the one that sets p.val: \(\*Promise\).Result`
	p.mu.Lock()
	p.val = v
	p.mu.Unlock()
}

func (p *Promise) Result() (any, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.kept {
		return p.val, true
	}
	return nil, false
}
