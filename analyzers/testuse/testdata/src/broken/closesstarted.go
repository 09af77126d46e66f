package broken

import (
	"net"
	"sync"
)

// Frontend is stopped by a goroutine, so that who stops it need not wait.
type Frontend struct {
	wg      sync.WaitGroup
	conn    net.Conn
	closing chan struct{}
}

// Stop ends it; the channel says when.
func (f *Frontend) Stop() <-chan error {
	select {
	case <-f.closing: // want `f.closing can be found open once more and closed twice: a goroutine closes it that is started after the look`
		return nil
	default:
	}
	done := make(chan error)
	go func() {
		close(f.closing)
		f.wg.Wait()
		done <- f.conn.Close()
	}()
	return done
}

// Backend holds a lock for the look, which the goroutine does not wait for.
type Backend struct {
	mu      sync.Mutex
	n       int
	closing chan struct{}
}

// Stop ends it.
func (b *Backend) Stop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case <-b.closing: // want `b.closing can be found open once more and closed twice: a goroutine closes it that is started after the look`
		return
	default:
	}
	b.n = 0
	go func() {
		defer close(b.closing)
	}()
}
