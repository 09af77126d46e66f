package half

import (
	"sync"
	"time"
)

// Answers are waited for by those who ask.
type Answers struct {
	mu    sync.Mutex
	chans map[string]chan struct{}
}

// Ask waits for an answer, and gives up in the end.
func (a *Answers) Ask(key string, patience time.Duration) bool {
	ch := make(chan struct{})
	a.mu.Lock()
	a.chans[key] = ch
	a.mu.Unlock()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-timer.C:
		close(a.chans[key]) // want `a.chans\[key\] is accessed here without the lock that all other functions hold for it: a.mu in \(\*Answers\).Answer`
	case <-ch:
	}
	a.mu.Lock()
	delete(a.chans, key)
	a.mu.Unlock()
	return true
}

// Answer answers.
func (a *Answers) Answer(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if ch, ok := a.chans[key]; ok {
		close(ch)
	}
}
