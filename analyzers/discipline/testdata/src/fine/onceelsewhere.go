package fine

import "sync"

type busFeed struct{ lines chan string }

func (s *busFeed) Close() { close(s.lines) }

// LockedBus has a lock for what both use.
type LockedBus struct {
	openOnce  sync.Once
	closeOnce sync.Once
	mu        sync.Mutex
	feed      *busFeed
}

func (b *LockedBus) Sub() {
	b.openOnce.Do(func() {
		f := &busFeed{make(chan string)}
		b.mu.Lock()
		b.feed = f
		b.mu.Unlock()
	})
}

func (b *LockedBus) Close() {
	b.closeOnce.Do(func() {
		b.mu.Lock()
		f := b.feed
		b.mu.Unlock()
		if f != nil {
			f.Close()
		}
	})
}

// TwoStepBus keeps the first step from being made any more, or waits for it.
type TwoStepBus struct {
	openOnce  sync.Once
	closeOnce sync.Once
	feed      *busFeed
}

func (b *TwoStepBus) Sub() {
	b.openOnce.Do(func() { b.feed = &busFeed{make(chan string)} })
}

func (b *TwoStepBus) Close() {
	b.openOnce.Do(func() {})
	b.closeOnce.Do(func() {
		if b.feed != nil {
			b.feed.Close()
		}
	})
}

// MadeBus has its feed from the start.
type MadeBus struct {
	openOnce  sync.Once
	closeOnce sync.Once
	feed      *busFeed
}

func NewMadeBus(with bool) *MadeBus {
	b := &MadeBus{}
	if with {
		b.feed = &busFeed{make(chan string)}
	}
	return b
}

func (b *MadeBus) Sub() { b.openOnce.Do(func() { go print(b.feed) }) }

func (b *MadeBus) Close() {
	b.closeOnce.Do(func() {
		if b.feed != nil {
			b.feed.Close()
		}
	})
}
