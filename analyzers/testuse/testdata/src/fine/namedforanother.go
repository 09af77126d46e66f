package fine

import "sync"

// A Newsrack has a lock for its pages, which those who show one hold for reading.
type Newsrack struct {
	pagesLock sync.RWMutex
	pages     []string
	cursor    *int
}

func (k *Newsrack) Add(page string) {
	k.pagesLock.Lock()
	k.pages = append(k.pages, page)
	k.pagesLock.Unlock()
}

func (k *Newsrack) Show(print func(string)) {
	k.pagesLock.RLock()
	defer k.pagesLock.RUnlock()
	if k.cursor == nil {
		k.cursor = new(int)
	}
	print(k.pages[*k.cursor])
}

func (k *Newsrack) Rest(print func(string)) {
	k.pagesLock.RLock()
	defer k.pagesLock.RUnlock()
	if k.cursor == nil {
		k.cursor = new(int)
	}
	for _, p := range k.pages[*k.cursor:] {
		print(p)
	}
}
