package fine

import (
	"maps"
	"slices"
	"sync"
)

// Menu returns copies, or what nobody changes in place.
type Menu struct {
	mu     sync.RWMutex
	prices map[string]int
	dishes []string
	whole  map[string]int
	sealed map[string]int
	added  []string
	orders []string
	tables map[int][]string
	rest   []int
}

func NewMenu() *Menu {
	m := &Menu{prices: map[string]int{}, whole: map[string]int{}, sealed: map[string]int{}}
	m.sealed["bread"] = 1
	return m
}

func (m *Menu) Prices() map[string]int {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return maps.Clone(m.prices)
}

func (m *Menu) Price(name string, n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.prices[name] = n
}

func (m *Menu) Dishes() []string {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return slices.Clone(m.dishes)
}

func (m *Menu) Strike(i int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.dishes = slices.Delete(m.dishes, i, i+1)
}

// Whole is never changed, but replaced by a changed copy.
func (m *Menu) Whole() map[string]int {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.whole
}

func (m *Menu) Renew(name string, n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	next := maps.Clone(m.whole)
	next[name] = n
	m.whole = next
}

// Sealed is filled by the constructor.
func (m *Menu) Sealed() map[string]int {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.sealed
}

// Added is only appended to, which leaves the elements alone that were there.
func (m *Menu) Added() []string {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.added
}

func (m *Menu) Add(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.added = append(m.added, name)
}

// Orders takes them all away.
func (m *Menu) Orders() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := m.orders
	m.orders = nil
	return all
}

func (m *Menu) Cancel(i int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.orders = append(m.orders[:i], m.orders[i+1:]...)
}

// Table takes the entry out of the map.
func (m *Menu) Table(n int) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.tables[n]
	delete(m.tables, n)
	return t
}

func (m *Menu) CancelAt(n, i int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tables[n] = append(m.tables[n][:i], m.tables[n][i+1:]...)
}

// LockedRest returns with the lock held.
func (m *Menu) LockedRest() []int {
	m.mu.Lock()
	return m.rest
}

func (m *Menu) Unlock(i int) {
	m.rest = append(m.rest[:i], m.rest[i+1:]...)
	m.mu.Unlock()
}
