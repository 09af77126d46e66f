package broken

import (
	"sync"
	"time"
)

type cable struct{ n int }

func (c *cable) take() bool { return c.n > 0 }
func (c *cable) size() int  { return c.n }

// Tram gets another cable; who is told to stop measures it, or the one before.
type Tram struct {
	mu   sync.Mutex
	stop chan struct{}
	rope *cable
}

func (t *Tram) Replace(c *cable) {
	t.mu.Lock()
	defer t.mu.Unlock()
	close(t.stop) // want `t.stop is closed before t.rope is stored: \(\*Tram\).Haul waits for it`
	t.rope = c
	t.stop = make(chan struct{})
}

func (t *Tram) Haul(d time.Duration) int {
	for {
		if !t.rope.take() {
			return t.rope.size()
		}
		select {
		case <-time.After(d):
		case <-t.stop:
			return t.rope.size()
		}
	}
}

// Run hauls.
func (t *Tram) Run() { go t.Haul(time.Second) }
