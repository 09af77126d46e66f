package fine

import "sync"

// trackBook returns its lock together with what it guards: it is to be held.
type trackBook struct {
	tracks map[string]*track
	mu     sync.RWMutex
}

type track struct{ length int }

func NewTrackBook() *trackBook { return &trackBook{tracks: map[string]*track{}} }

func (b *trackBook) Tracks() (map[string]*track, *sync.RWMutex) {
	return b.tracks, &b.mu
}

func (b *trackBook) Track(name string) *track {
	b.mu.Lock()
	defer b.mu.Unlock()
	t, ok := b.tracks[name]
	if !ok {
		t = &track{}
		b.tracks[name] = t
	}
	return t
}
