package broken

import "sync"

type station struct {
	name  string
	addr  string
	note  string
	load  int
	extra []string
}

// Stations are changed in place under the lock of the table.
type Stations struct {
	mu    sync.RWMutex
	hosts map[string]*station
	order []*station
}

func (t *Stations) Move(name, addr string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	h := t.hosts[name]
	if h == nil {
		h = &station{name: name, note: "new"}
		t.hosts[name] = h
		t.order = append(t.order, h)
	}
	h.addr = addr
	h.load++
}

func (t *Stations) Where(name string) string {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.hosts[name].addr
}

// Dial reads what the pointer points to when the lock is gone.
func (t *Stations) Dial(i int, dial func(string)) {
	t.mu.RLock()
	h := t.order[i]
	t.mu.RUnlock()
	dial(h.addr) // want `h.addr is read here after t.mu was released, which all functions hold that write it, as \(\*Stations\).Move does`
}

func (t *Stations) find(name string) *station {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.hosts[name]
}

// Ping has the pointer from a getter.
func (t *Stations) Ping(name string, ping func(string)) {
	if h := t.find(name); h != nil {
		ping(h.addr) // want `h.addr is read here after t.mu was released: h is still in Stations.hosts`
	}
}

// Note reads what never changes.
func (t *Stations) Note(name string, note func(string)) {
	if h := t.find(name); h != nil {
		note(h.name + h.note)
	}
}

// Copy reads under the lock what it uses afterwards.
func (t *Stations) Copy(i int, dial func(string)) {
	t.mu.RLock()
	h := t.order[i]
	addr := h.addr
	t.mu.RUnlock()
	dial(addr)
}

// Take has taken the host out, so that nobody else finds it.
func (t *Stations) Take(i int, dial func(string)) {
	t.mu.Lock()
	h := t.order[i]
	t.order = append(t.order[:i], t.order[i+1:]...)
	delete(t.hosts, h.name)
	t.mu.Unlock()
	dial(h.addr)
}

// Load reads one word.
func (t *Stations) Load(i int, show func(int)) {
	t.mu.RLock()
	h := t.order[i]
	t.mu.RUnlock()
	show(h.load)
}

// Fields are set without the lock as well, by who makes the host known.
func (t *Stations) Extra(h *station, extra []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	h.extra = extra
}

func (t *Stations) Unlocked(h *station) { h.extra = nil }

func (t *Stations) ShowExtra(i int, show func([]string)) {
	t.mu.RLock()
	h := t.order[i]
	t.mu.RUnlock()
	show(h.extra)
}

type identity struct{ label string }

type entry struct {
	identity
	since int
}

// Entries have what is written in a part of them.
type Entries struct {
	mu      sync.Mutex
	entries map[int]*entry
}

func (e *Entries) Label(id int, label string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	old := ""
	if x, ok := e.entries[id]; ok {
		old = x.label
		x.label = label
	}
	return old
}

func (e *Entries) Show(id int, show func(string)) {
	e.mu.Lock()
	x, ok := e.entries[id]
	e.mu.Unlock()
	if ok {
		show(x.label) // want `x.label is read here after e.mu was released`
	}
}
