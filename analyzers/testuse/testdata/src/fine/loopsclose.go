package fine

import (
	"sync"
	"sync/atomic"
)

type ferry interface {
	Push(b []byte) (int, error)
	Pull(b []byte) (int, error)
}

// tellers leave it to a sync.Once.
type teller struct {
	conn  ferry
	words chan []byte
	over  chan struct{}
	once  sync.Once
	ended atomic.Bool
	heard chan struct{}
}

func (t *teller) end() { t.once.Do(func() { close(t.over) }) }

func (t *teller) hear(use func([]byte)) {
	defer t.end()
	defer close(t.heard)
	for {
		b := make([]byte, 100)
		n, err := t.conn.Pull(b)
		if err != nil {
			return
		}
		use(b[:n])
	}
}

func (t *teller) speak() {
	for w := range t.words {
		if _, err := t.conn.Push(w); err != nil {
			t.end()
			return
		}
	}
}

func Tell(conn ferry, use func([]byte)) chan<- []byte {
	t := &teller{conn: conn, words: make(chan []byte), over: make(chan struct{}), heard: make(chan struct{})}
	go t.hear(use)
	go t.speak()
	return t.words
}

// Canal asks a flag who is the first.
type Canal struct {
	conn  ferry
	ended atomic.Bool
	done  chan struct{}
	full  chan struct{}
}

func (c *Canal) Open() {
	go c.fill()
	go c.drain()
}

func (c *Canal) fill() {
	defer func() {
		if c.ended.CompareAndSwap(false, true) {
			close(c.done)
		}
	}()
	defer close(c.full)
	for {
		if _, err := c.conn.Push([]byte("more")); err != nil {
			return
		}
	}
}

func (c *Canal) drain() {
	b := make([]byte, 10)
	for {
		if _, err := c.conn.Pull(b); err != nil {
			if c.ended.CompareAndSwap(false, true) {
				close(c.done)
			}
			return
		}
	}
}

// Floodgate has a channel for each of its two gates, and each floodgate its own.
type Floodgate struct {
	conn       ferry
	upper, low chan struct{}
}

func (s *Floodgate) Open(other *Floodgate) {
	go s.raise()
	go s.lower()
	go other.raise()
}

func (s *Floodgate) raise() {
	defer close(s.upper)
	for {
		if _, err := s.conn.Push([]byte("up")); err != nil {
			return
		}
	}
}

func (s *Floodgate) lower() {
	defer close(s.low)
	for {
		if _, err := s.conn.Push([]byte("down")); err != nil {
			return
		}
	}
}

// Barrage is opened in one way or another.
type Barrage struct {
	conn ferry
	done chan struct{}
}

func (w *Barrage) Open(up bool) {
	if up {
		go w.raise()
	} else {
		go w.lower()
	}
}

func (w *Barrage) raise() {
	defer close(w.done)
	for {
		if _, err := w.conn.Push([]byte("up")); err != nil {
			return
		}
	}
}

func (w *Barrage) lower() {
	defer close(w.done)
	for {
		if _, err := w.conn.Push([]byte("down")); err != nil {
			return
		}
	}
}
