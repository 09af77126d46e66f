package broken

import (
	"strings"
	"sync"
)

type crossPage struct {
	id   int
	text string
}

// CrossIndex has pages, and for each word the pages that have it.
type CrossIndex struct {
	mu    sync.RWMutex
	pages map[int]*crossPage
	words map[string][]int
}

func (x *CrossIndex) Add(p *crossPage) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.pages[p.id] = p
	for _, w := range strings.Fields(p.text) {
		x.words[w] = append(x.words[w], p.id)
	}
}

func (x *CrossIndex) take(id int) *crossPage {
	x.mu.Lock()
	defer x.mu.Unlock()
	p := x.pages[id]
	delete(x.pages, id)
	return p
}

func (x *CrossIndex) forget(p *crossPage) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, w := range strings.Fields(p.text) {
		delete(x.words, w)
	}
}

func (x *CrossIndex) Remove(id int) {
	if p := x.take(id); p != nil { // want `an entry is deleted from x.pages here and x.words in a later critical section; \(\*CrossIndex\).Search goes from one to the other without a look, and can find the half of it`
		x.forget(p)
	}
}

// Drop does it without the methods.
func (x *CrossIndex) Drop(id int, word string) {
	x.mu.Lock()
	delete(x.pages, id) // want `an entry is deleted from x.pages here and x.words in a later critical section`
	x.mu.Unlock()
	x.mu.Lock()
	delete(x.words, word)
	x.mu.Unlock()
}

// Tidy deletes what leads to the page first.
func (x *CrossIndex) Tidy(id int, p *crossPage) {
	x.forget(p)
	x.take(id)
}

func (x *CrossIndex) Search(word string) (found []*crossPage) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, id := range x.words[word] {
		found = append(found, x.pages[id])
	}
	return found
}

// LookIndex is the same, but who searches looks whether the page is there.
type LookIndex struct {
	mu    sync.RWMutex
	pages map[int]*crossPage
	words map[string][]int
}

func (x *LookIndex) Add(p *crossPage) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.pages[p.id] = p
	x.words[p.text] = append(x.words[p.text], p.id)
}

func (x *LookIndex) Remove(id int, word string) {
	x.mu.Lock()
	delete(x.pages, id)
	x.mu.Unlock()
	x.mu.Lock()
	delete(x.words, word)
	x.mu.Unlock()
}

func (x *LookIndex) Search(word string) (found []*crossPage) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, id := range x.words[word] {
		if p, ok := x.pages[id]; ok {
			found = append(found, p)
		}
	}
	return found
}
