package fine

import (
	"errors"
	"io"
	"sync"
	"time"
)

// A Pass is given both in one critical section, and a mark before that.
type Pass struct {
	mu    sync.RWMutex
	text  string
	until time.Time
	seen  time.Time
	fetch func() (string, time.Duration, error)
}

func (t *Pass) Refresh() error {
	t.mu.Lock()
	t.until = time.Now()
	t.mu.Unlock()
	text, d, err := t.fetch()
	if err != nil {
		return err
	}
	t.mu.Lock()
	t.text = text
	t.until = time.Now().Add(d)
	t.mu.Unlock()

	t.mu.Lock()
	t.seen = time.Now()
	t.mu.Unlock()
	return nil
}

func (t *Pass) Text() (string, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if time.Now().After(t.until) {
		return "", false
	}
	return t.text, true
}

func (t *Pass) Revoke() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = ""
	t.until = time.Time{}
}

// A Roll is asked for its length: the lines may be those of longer rows.
type Roll struct {
	mu   sync.RWMutex
	rows []string
	line map[string]int
}

func (s *Roll) Replace(rows []string, line map[string]int) {
	s.mu.Lock()
	s.rows = rows
	s.mu.Unlock()
	s.mu.Lock()
	s.line = line
	s.mu.Unlock()
}

func (s *Roll) Row(key string) (string, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	i, ok := s.line[key]
	if !ok || i >= len(s.rows) {
		return "", false
	}
	return s.rows[i], true
}

// A Pipe is there before it is said to be on.
type Pipe struct {
	mu  sync.Mutex
	on  bool
	ext bool
	w   io.Writer
	x   io.Writer
}

func (h *Pipe) Redial(dial func() io.Writer) {
	h.attach(dial())
	h.mu.Lock()
	h.on = true
	h.mu.Unlock()
}

func (h *Pipe) attach(w io.Writer) {
	h.mu.Lock()
	h.w = w
	h.mu.Unlock()
}

func (h *Pipe) Send(p []byte) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.on {
		return errors.New("off")
	}
	_, err := h.w.Write(p)
	return err
}

// Extend is known to be under way before it is done.
func (h *Pipe) Extend(dial func() io.Writer) {
	h.mu.Lock()
	h.ext = true
	h.mu.Unlock()
	x := dial()
	h.mu.Lock()
	h.x = x
	h.mu.Unlock()
}

func (h *Pipe) Further(p []byte) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.ext {
		return errors.New("off")
	}
	if h.x == nil {
		return errors.New("not yet")
	}
	_, err := h.x.Write(p)
	return err
}

// A Shop is closed first, and then loses what it has.
type Shop struct {
	mu     sync.Mutex
	closed bool
	goods  io.Writer
}

func (s *Shop) Close(last io.Writer) {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.mu.Lock()
	s.goods = last
	s.mu.Unlock()
}

func (s *Shop) Sell(p []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errors.New("closed")
	}
	_, err := s.goods.Write(p)
	return err
}
