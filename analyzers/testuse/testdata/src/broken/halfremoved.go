package broken

import (
	"container/heap"
	"container/list"
	"sync"
)

type sheet struct {
	name string
	text string
}

// Folder keeps its sheets in a list and in a map.
type Folder struct {
	mu     sync.Mutex
	order  *list.List
	byName map[string]*list.Element
	drop   func(string)
}

func (f *Folder) Put(name, text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if el := f.byName[name]; el != nil {
		el.Value.(*sheet).text = text
		f.order.MoveToFront(el)
		return
	}
	f.byName[name] = f.order.PushFront(&sheet{name, text})
}

// Shrink takes the sheet out of the one, and then out of the other.
func (f *Folder) Shrink() {
	f.mu.Lock()
	last := f.order.Back()
	if last == nil {
		f.mu.Unlock()
		return
	}
	f.order.Remove(last) // want `the entry is taken out of f.order here, and deleted from f.byName in a later critical section: what \(\*Folder\).Put does with the key in between is lost`
	f.mu.Unlock()
	old := last.Value.(*sheet)
	f.drop(old.text)
	f.forget(old.name)
}

func (f *Folder) forget(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.byName, name)
}

// Docket keeps them in a slice.
type Docket struct {
	sync.RWMutex
	queue []*sheet
	index map[string]*sheet
}

func (d *Docket) Add(name, text string) {
	d.Lock()
	defer d.Unlock()
	s := &sheet{name, text}
	d.queue = append(d.queue, s)
	d.index[name] = s
}

func (d *Docket) Next() *sheet {
	d.Lock()
	if len(d.queue) == 0 {
		d.Unlock()
		return nil
	}
	s := d.queue[0]
	d.queue = d.queue[1:] // want `the entry is taken out of d.queue here, and deleted from d.index in a later critical section`
	d.Unlock()

	d.Lock()
	delete(d.index, s.name)
	d.Unlock()
	return s
}

type byText []*sheet

func (b byText) Len() int           { return len(b) }
func (b byText) Less(i, j int) bool { return b[i].text < b[j].text }
func (b byText) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }
func (b *byText) Push(x any)        { *b = append(*b, x.(*sheet)) }
func (b *byText) Pop() any {
	old := *b
	last := old[len(old)-1]
	*b = old[:len(old)-1]
	return last
}

// Pile keeps them in a heap.
type Pile struct {
	mu     sync.Mutex
	sheets byText
	index  map[string]*sheet
}

func (p *Pile) Add(name, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.index[name] != nil {
		return
	}
	s := &sheet{name, text}
	p.index[name] = s
	heap.Push(&p.sheets, s)
}

func (p *Pile) Least() *sheet {
	p.mu.Lock()
	if p.sheets.Len() == 0 {
		p.mu.Unlock()
		return nil
	}
	s := heap.Pop(&p.sheets).(*sheet) // want `the entry is taken out of p.sheets here, and deleted from p.index in a later critical section`
	p.mu.Unlock()
	defer func() { _ = s }()
	p.mu.Lock()
	delete(p.index, s.name)
	p.mu.Unlock()
	return s
}
