package fine

import (
	"sync"
	"time"
)

// Calls waits for an answer to each call, and stops its timer when it has come.
type Calls struct{ waiting sync.Map }

type pending struct {
	whom   string
	settle func()
}

func (c *Calls) Make(id, whom string) {
	timer := time.AfterFunc(time.Second, func() { c.waiting.Delete(id) })
	c.waiting.Store(id, pending{whom: whom, settle: func() { timer.Stop() }})
}

func (c *Calls) Answer(id string) {
	p, ok := c.waiting.Load(id)
	if !ok {
		return
	}
	p.(pending).settle()
	c.waiting.Delete(id)
}
