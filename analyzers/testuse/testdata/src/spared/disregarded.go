package spared

import "sync"

// Index is filled by somebody who does not take what he is given.
type Index struct{ items sync.Map }

func (x *Index) Add(key string) *page {
	p := newPage()
	x.items.Store(key, p)
	return p
}

func (x *Index) Get(key string) *page {
	v, _ := x.items.Load(key)
	p, _ := v.(*page)
	return p
}

func Fill(x *Index, keys []string) {
	for _, k := range keys {
		x.Add(k)
	}
}

// Registry gives each caller a page to go on with.
type Registry struct{ items sync.Map }

func (x *Registry) Add(key string) *page {
	p := newPage()
	x.items.Store(key, p) // want `Store replaces what another goroutine has stored for key, and both go on with an object of their own`
	return p
}

func (x *Registry) Get(key string) *page {
	v, _ := x.items.Load(key)
	p, _ := v.(*page)
	return p
}

func OpenUp(x *Registry, key string) {
	x.Add("root")
	x.Add(key).Close()
}

func newPage() *page { return &page{} }
