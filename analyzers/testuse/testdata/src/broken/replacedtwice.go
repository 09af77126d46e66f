package broken

import "sync"

type feeder struct{ stopped bool }

func (f *feeder) Stop()           { f.stopped = true }
func (f *feeder) Feed(n int) bool { return n > 0 }

// Grinder exchanges its feeder.
type Grinder struct {
	mu   sync.RWMutex
	feed *feeder
	more chan int
}

// Exchange reads the old one under the lock, and gives that up.
func (m *Grinder) Exchange() {
	m.mu.RLock()
	old := m.feed // want `two goroutines can both read Grinder\.feed before either puts another one in its place: both call old\.Stop, and nobody ends the one that is replaced last: m\.mu is not held in between`
	m.mu.RUnlock()
	fresh := &feeder{}
	m.mu.Lock()
	m.feed = fresh
	m.mu.Unlock()
	old.Stop()
}

// Refill closes the old one.
func (m *Grinder) Refill() {
	old := m.more // want `two goroutines can both read Grinder\.more before either puts another one in its place: both call close\(old\)`
	fresh := make(chan int, 4)
	m.mu.Lock()
	m.more = fresh
	m.mu.Unlock()
	close(old)
}

func (m *Grinder) Feed(n int) bool {
	m.mu.RLock()
	defer m.mu.RUnlock()
	m.more <- n
	return m.feed.Feed(n)
}
