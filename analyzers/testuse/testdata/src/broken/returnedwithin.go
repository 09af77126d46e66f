package broken

import "sync"

// Voyage is what legs have in common.
type Voyage struct {
	mu    sync.RWMutex
	calls map[string]int
}

func (v *Voyage) Call(port string, days int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.calls[port] = days
}

// Leg is a part of a voyage.
type Leg struct {
	mu     sync.Mutex
	voyage *Voyage
	number int
}

func (l *Leg) Renumber() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.number++
}

// Logbook is what is made known of a leg.
type Logbook struct {
	Number int
	Calls  map[string]int
}

func (l *Leg) Logbook() *Logbook {
	l.mu.Lock()
	number := l.number
	l.mu.Unlock()
	return &Logbook{
		Number: number,
		Calls:  l.voyage.calls, // want `l.voyage.calls is returned itself, and no copy: whoever gets it reads it without the lock with which \(\*Voyage\).Call writes its entries`
	}
}

func (v *Voyage) Logbook() Logbook {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return Logbook{0, v.calls} // want `v.calls is returned itself, and no copy: whoever gets it reads it without v.mu, while \(\*Voyage\).Call writes its entries`
}
