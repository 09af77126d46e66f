package fine

import (
	"container/list"
	"sync"
)

type card struct {
	id   int
	name string
	text string
}

type Tray struct {
	mu     sync.Mutex
	order  *list.List
	byName map[string]*list.Element
	byID   map[int]*card
	line   []*card
	last   int
	drop   func(string)
}

func (t *Tray) Put(name, text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if el := t.byName[name]; el != nil {
		el.Value.(*card).text = text
		t.order.MoveToFront(el)
		return
	}
	t.byName[name] = t.order.PushFront(&card{name: name, text: text})
}

// Shrink does both in one critical section.
func (t *Tray) Shrink() {
	t.mu.Lock()
	el := t.order.Back()
	if el == nil {
		t.mu.Unlock()
		return
	}
	c := t.order.Remove(el).(*card)
	delete(t.byName, c.name)
	t.mu.Unlock()
	t.drop(c.text)
}

// ShrinkLater looks whether it is the same still.
func (t *Tray) ShrinkLater() {
	t.mu.Lock()
	el := t.order.Back()
	if el == nil {
		t.mu.Unlock()
		return
	}
	c := t.order.Remove(el).(*card)
	t.mu.Unlock()
	t.drop(c.text)
	t.mu.Lock()
	if t.byName[c.name] == el {
		delete(t.byName, c.name)
	}
	t.mu.Unlock()
}

// Queue gives numbers that do not come again.
func (t *Tray) Queue(text string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last++
	c := &card{id: t.last, text: text}
	t.byID[c.id] = c
	t.line = append(t.line, c)
	return c.id
}

func (t *Tray) Serve() {
	t.mu.Lock()
	if len(t.line) == 0 {
		t.mu.Unlock()
		return
	}
	c := t.line[0]
	t.line = t.line[1:]
	t.mu.Unlock()
	t.drop(c.text)
	t.mu.Lock()
	delete(t.byID, c.id)
	t.mu.Unlock()
}
