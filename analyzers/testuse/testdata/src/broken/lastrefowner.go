package broken

import (
	"sync"
	"sync/atomic"
)

// A mapSheet knows the atlas that it is kept in, and leaves it by itself.
type mapSheet struct {
	name  string
	users atomic.Int32
	pins  atomic.Int32
	marks atomic.Int32
	home  *Atlas
}

func (s *mapSheet) fold() {}

// Atlas keeps a mapSheet as long as it has users.
type Atlas struct {
	mu     sync.Mutex
	sheets map[string]*mapSheet
}

func (a *Atlas) Take(name string) *mapSheet {
	a.mu.Lock()
	defer a.mu.Unlock()
	s, ok := a.sheets[name]
	if !ok {
		s = &mapSheet{name: name, home: a}
		a.sheets[name] = s
	}
	s.users.Add(1)
	s.pins.Add(1)
	s.marks.Add(1)
	return s
}

func (s *mapSheet) Drop() {
	if s.users.Add(-1) > 0 { // want `s.users has fallen to zero, but another goroutine can find the object in s.home.sheets and count itself in, in \(\*Atlas\).Take, before s.home.mu is taken here`
		return
	}
	s.home.mu.Lock()
	defer s.home.mu.Unlock()
	delete(s.home.sheets, s.name)
	s.fold()
}

// Unpin looks at the count once more under the lock.
func (s *mapSheet) Unpin() {
	if s.pins.Add(-1) > 0 {
		return
	}
	s.home.mu.Lock()
	defer s.home.mu.Unlock()
	if s.pins.Load() == 0 {
		delete(s.home.sheets, s.name)
	}
}

// Unmark counts under the lock.
func (s *mapSheet) Unmark() {
	s.home.mu.Lock()
	defer s.home.mu.Unlock()
	if s.marks.Add(-1) == 0 {
		delete(s.home.sheets, s.name)
	}
}

// A Page is in a drawer, whose lock is embedded, in a cabinet that it knows.
type Page struct {
	id  int
	use int32
	in  *Cabinet
}

type Drawer struct {
	sync.RWMutex
	pages map[int]*Page
}

type Cabinet struct{ drawer *Drawer }

func (d *Drawer) Find(id int) *Page {
	d.Lock()
	defer d.Unlock()
	if p := d.pages[id]; p != nil {
		atomic.AddInt32(&p.use, 1)
		return p
	}
	return nil
}

func (p *Page) Leave() {
	if n := atomic.AddInt32(&p.use, -1); n == 0 { // want `p.use has fallen to zero, but another goroutine can find the object in p.in.drawer.pages and count itself in, in \(\*Drawer\).Find`
		p.in.drawer.Lock()
		delete(p.in.drawer.pages, p.id)
		p.in.drawer.Unlock()
	}
}

// A folder is counted by those who have it already, and by nobody who looks it up.
type folder struct {
	name  string
	users atomic.Int32
	list  *mapShelf
}

type mapShelf struct {
	mu      sync.Mutex
	folders map[string]*folder
}

func (s *mapShelf) Put(f *folder) {
	f.users.Add(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.folders[f.name] = f
}

func (f *folder) Release() {
	if f.users.Add(-1) > 0 {
		return
	}
	f.list.mu.Lock()
	defer f.list.mu.Unlock()
	delete(f.list.folders, f.name)
}
