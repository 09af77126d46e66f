package mailqueue

import (
	"log"
	"sync"
	"time"
)

type Envelope struct {
	From string
	To   []string
	Data []byte
}

type spool struct {
	sync.Mutex
	items []*Envelope
}

func (s *spool) Push(e *Envelope) {
	s.Lock()
	s.items = append(s.items, e)
	s.Unlock()
}

func (s *spool) Len() int {
	s.Lock()
	defer s.Unlock()
	return len(s.items)
}

func (s *spool) Pop() *Envelope {
	s.Lock()
	defer s.Unlock()
	e := s.items[0]
	s.items = s.items[1:]
	return e
}

type Courier struct {
	spool *spool
	send  func(*Envelope) error
}

func Start(n int, send func(*Envelope) error) func(*Envelope) {
	sp := &spool{}
	for i := 0; i < n; i++ {
		c := &Courier{spool: sp, send: send}
		go c.loop()
	}
	return sp.Push
}

func (c *Courier) loop() {
	for {
		if !c.deliverNext() {
			time.Sleep(250 * time.Millisecond)
		}
	}
}

func (c *Courier) deliverNext() bool {
	if c.spool.Len() > 0 {
		e := c.spool.Pop()
		if err := c.send(e); err != nil {
			log.Printf("deliver to %v: %v", e.To, err)
			c.spool.Push(e)
		}
		return true
	}
	return false
}
