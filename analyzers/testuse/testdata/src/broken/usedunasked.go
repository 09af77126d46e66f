package broken

import (
	"context"
	"sync"
	"time"
)

// Tokens keeps tokens for a while.
type Tokens struct {
	mu    sync.RWMutex
	known map[string]*tokenUse
}

type tokenUse struct {
	text string
	last time.Time
}

func NewTokens(ctx context.Context) *Tokens {
	t := &Tokens{known: map[string]*tokenUse{}}
	go func() {
		tick := time.NewTicker(time.Minute)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				t.sweep()
			}
		}
	}()
	return t
}

func (t *Tokens) sweep() {
	kept := make(map[string]*tokenUse)
	t.mu.Lock()
	for name, u := range t.known {
		if time.Since(u.last) < time.Hour {
			kept[name] = u
		}
	}
	t.known = kept
	t.mu.Unlock()
}

func (t *Tokens) draw(name string) {
	t.mu.Lock()
	t.known[name] = &tokenUse{text: name, last: time.Now()}
	t.mu.Unlock()
}

func (t *Tokens) Get(name string) (string, bool) {
	t.mu.RLock()
	_, ok := t.known[name] // want `t.known\[name\] is looked up here, and once more after the lock was released, where nothing asks whether it is still there: \(\*Tokens\).sweep can have removed it in between`
	t.mu.RUnlock()
	if !ok {
		t.draw(name)
	}
	t.mu.Lock()
	u, ok := t.known[name]
	u.last = time.Now()
	text := u.text
	t.mu.Unlock()
	return text, ok
}
