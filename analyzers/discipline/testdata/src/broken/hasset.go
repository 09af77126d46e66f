package broken

import "sync"

type foghorn struct{ loud bool }

func (h *foghorn) blow()   { h.loud = true }
func (h *foghorn) silent() { h.loud = false }

// Quayside has a new horn each time that one asks for it.
type Quayside struct {
	mu   sync.Mutex
	horn *foghorn
	gone bool
}

// Replace takes another horn.
func (q *Quayside) Replace() {
	q.mu.Lock()
	q.horn = &foghorn{}
	if q.gone {
		q.mu.Unlock()
		return
	}
	q.mu.Unlock()
	go func() {
		q.horn.blow() // want `q.horn is accessed here without the lock that all other functions hold for it`
	}()
}

// Shutdown ends it.
func (q *Quayside) Shutdown() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.gone = true
	if q.horn != nil {
		q.horn.silent()
	}
}

// Loud tells whether there is one.
func (q *Quayside) Loud() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.horn != nil
}
