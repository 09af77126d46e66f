package fine

import (
	"sync"
	"time"
)

// Lantern goes out some time after it was last lit.
type Lantern struct {
	mu    sync.Mutex
	delay *time.Timer
	dark  chan struct{}
}

func (l *Lantern) keep() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.keepLocked()
}

func (l *Lantern) keepLocked() {
	if l.delay == nil {
		return
	}
	l.delay.Stop()
	l.delay = nil
}

// Light does it all in one critical section.
func (l *Lantern) Light(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.keepLocked()
	l.delay = time.AfterFunc(d, func() { l.dark <- struct{}{} })
}

// Flash looks again whether another one has set it.
func (l *Lantern) Flash(d time.Duration) {
	l.keep()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.delay != nil {
		l.delay.Stop()
	}
	l.delay = time.AfterFunc(d, func() { l.dark <- struct{}{} })
}
