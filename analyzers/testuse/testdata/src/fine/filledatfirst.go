package fine

import "sync"

// A Mosaic is filled by Lay before it is shown to anybody, and given up as a whole by Close: the lock is for
// the field.
type Mosaic struct {
	mu    sync.RWMutex
	tiles map[int]*tessera
}

type tessera struct{ hue int }

func NewMosaic() *Mosaic { return &Mosaic{tiles: map[int]*tessera{}} }

func (m *Mosaic) Lay(n int) {
	for i := range n {
		m.tiles[i] = &tessera{i}
	}
	go m.watch()
}

func (m *Mosaic) watch() {
	for _, t := range m.all() {
		println(t.hue)
	}
}

func (m *Mosaic) all() map[int]*tessera {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.tiles
}

func (m *Mosaic) Hues() (list []int) {
	for _, t := range m.all() {
		list = append(list, t.hue)
	}
	return list
}

func (m *Mosaic) Hue(i int) int {
	tiles := m.all()
	if tiles == nil || tiles[i] == nil {
		return 0
	}
	return tiles[i].hue
}

func (m *Mosaic) Close() {
	m.mu.Lock()
	m.tiles = nil
	m.mu.Unlock()
}

// A mosaicHall has a mosaic laid with a lock of its own held.
type mosaicHall struct {
	mu    sync.Mutex
	shown *Mosaic
}

func (h *mosaicHall) Hang(n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	m := NewMosaic()
	m.Lay(n)
	h.shown = m
}
