package broken

import "sync"

// Turnstile groups its lock and its counts in structs of their own.
type Turnstile struct {
	guard  struct{ mu sync.RWMutex }
	counts turnstileCounts
}

type turnstileCounts struct {
	entered int
	through map[string]int
}

func (t *Turnstile) Reset() {
	t.guard.mu.Lock()
	defer t.guard.mu.Unlock()
	t.counts.entered = 0
}

func (t *Turnstile) Pass(who string) int {
	t.guard.mu.RLock()
	defer t.guard.mu.RUnlock()
	t.counts.entered++ // want `two goroutines can both read t.counts.entered before either stores it, and one update is lost: t.guard.mu is held for reading only`
	return t.counts.through[who]
}

func (t *Turnstile) count(who string) int {
	t.guard.mu.RLock()
	defer t.guard.mu.RUnlock()
	return t.counts.through[who]
}

func (t *Turnstile) Add(who string, n int) {
	had := t.count(who) // want `two goroutines can both read t.counts.through \(in t.count\) before either stores it`
	t.guard.mu.Lock()
	defer t.guard.mu.Unlock()
	t.counts.through[who] = had + n
}
