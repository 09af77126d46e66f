package broken

import "sync"

type tap interface{ Pour() string }

// Bar opens one tap for each drink.
type Bar struct {
	mu   sync.RWMutex
	open func(drink string) tap
	taps map[string]tap
}

// Tap may be called by many.
func (b *Bar) Tap(drink string) tap {
	b.mu.RLock()
	t, ok := b.taps[drink]
	b.mu.RUnlock()
	if ok {
		return t
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if t, ok := b.taps[drink]; ok {
		return t
	}
	t = b.open(drink)
	b.taps[drink] = t
	return t
}

// Reset changes who the taps come from.
func (b *Bar) Reset(open func(drink string) tap) {
	b.mu.Lock()
	b.open = open // want `Bar.open is replaced in one critical section and Bar.taps emptied in another; \(\*Bar\).Tap, which makes entries with it, hands out an entry of before, or one that is thrown away at once, if it comes in between`
	b.mu.Unlock()
	b.Empty()
}

// Empty lets all taps go.
func (b *Bar) Empty() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.taps = make(map[string]tap)
}

// Menus are printed once for each guest, from the card of the day.
type Menus struct {
	mu   sync.Mutex
	card string
	done map[string]string
}

func (m *Menus) For(guest string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.done[guest]; !ok {
		m.done[guest] = inscribe(m.card, guest)
	}
	return m.done[guest]
}

// NewCard throws the menus away before it has the new card.
func (m *Menus) NewCard(card string) {
	m.mu.Lock()
	m.done = map[string]string{} // want `Menus.card is replaced in one critical section and Menus.done emptied in another; \(\*Menus\).For, which makes entries with it, makes an entry with the old one if it comes in between, and that stays`
	m.mu.Unlock()

	m.mu.Lock()
	m.card = card
	m.mu.Unlock()
}

func inscribe(card, guest string) string { return card + " for " + guest }
