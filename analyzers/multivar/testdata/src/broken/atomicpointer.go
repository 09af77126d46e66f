package broken

import "sync/atomic"

// Menu has its atomic variables behind pointers, which are set once.
type Menu struct {
	edition *atomic.Uint64
	dishes  *atomic.Value
}

func NewMenu() *Menu { return &Menu{edition: new(atomic.Uint64), dishes: new(atomic.Value)} }

func (m *Menu) Change(dishes []string) {
	m.edition.Add(1) // want `m.edition is raised before m.dishes is stored: \(\*Waiter\).Dishes can find the new number`
	m.dishes.Store(dishes)
}

type Waiter struct {
	menu    *Menu
	edition uint64
	dishes  []string
}

func (w *Waiter) Dishes() []string {
	if edition := w.menu.edition.Load(); edition != w.edition {
		w.edition = edition
		w.dishes = w.menu.dishes.Load().([]string)
	}
	return w.dishes
}
