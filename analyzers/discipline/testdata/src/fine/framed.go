package fine

import (
	"fmt"
	"net/http"
	"sync"
)

// A dialogue belongs to the request that has made it, which lends it to a goroutine
// that looks at what the lock is for alone.
type dialogue struct {
	mu   sync.Mutex
	line *telephone
	said []string
}

type telephone struct{ open bool }

func (t *telephone) hangUp() { t.open = false }

func newDialogue() *dialogue { return &dialogue{} }

func (d *dialogue) Answer(word string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if word == "hello" {
		d.ready()
	}
	d.said = append(d.said, word)
}

func (d *dialogue) ready() {
	if d.line != nil {
		return
	}
	d.line = &telephone{open: true}
	go d.listen()
}

func (d *dialogue) listen() {
	d.mu.Lock()
	defer d.mu.Unlock()
	fmt.Println(d.said)
}

func (d *dialogue) End() {
	if d.line != nil {
		d.line.hangUp()
	}
}

type exchange struct{ words []string }

func (x *exchange) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d := newDialogue()
	for _, word := range x.words {
		d.Answer(word)
	}
	d.End()
}

// An Errand is made by Courier.Run alone, for itself; nobody else can have one.
type Errand struct {
	by    *Courier
	tries int
}

func (e *Errand) Run() bool {
	e.by.mu.RLock()
	defer e.by.mu.RUnlock()
	for {
		if e.by.able {
			return true
		}
		if e.again() {
			e.tries--
			continue
		}
		return false
	}
}

func (e *Errand) again() bool {
	if e.tries > 0 {
		return true
	}
	return false
}

type Courier struct {
	mu   sync.RWMutex
	able bool
}

func (c *Courier) Enable() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.able = true
}

func (c *Courier) Run() bool {
	e := &Errand{by: c, tries: 3}
	return e.Run()
}
