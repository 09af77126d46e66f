package broken

import (
	"sync"
	"time"
)

// Calls waits for an answer to each call, of which there should be one.
type Calls struct{ waiting sync.Map }

type pending struct {
	whom   string
	settle func()
	also   func()
}

func (c *Calls) Make(id, whom string, done chan<- string) {
	timer := time.AfterFunc(time.Second, func() { c.waiting.Delete(id) })
	c.waiting.Store(id, pending{whom: whom, settle: func() { done <- id }, also: func() { timer.Stop() }})
}

// MakeAlso does something else in the same field.
func (c *Calls) MakeAlso(id string, also func()) {
	c.waiting.Store(id, pending{also: also})
}

func (c *Calls) Answer(id string) {
	p, ok := c.waiting.Load(id) // want `two goroutines can both pass the test of c.waiting\[id\] and both delete it`
	if !ok {
		return
	}
	p.(pending).settle()
	c.waiting.Delete(id)
}

func (c *Calls) AnswerAlso(id string) {
	p, ok := c.waiting.Load(id) // want `two goroutines can both pass the test of c.waiting\[id\] and both delete it`
	if !ok {
		return
	}
	p.(pending).also()
	c.waiting.Delete(id)
}
