package fine

import (
	"net"
	"sync"
	"sync/atomic"
)

// Frontend lets one in, who starts the goroutine.
type Frontend struct {
	wg      sync.WaitGroup
	conn    net.Conn
	ending  atomic.Bool
	closing chan struct{}
}

// Stop ends it; the channel says when.
func (f *Frontend) Stop() <-chan error {
	select {
	case <-f.closing:
		return nil
	default:
	}
	if !f.ending.CompareAndSwap(false, true) {
		return nil
	}
	done := make(chan error)
	go func() {
		close(f.closing)
		f.wg.Wait()
		done <- f.conn.Close()
	}()
	return done
}

// Backend waits for the goroutine before it lets others look.
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
	case <-b.closing:
		return
	default:
	}
	b.n = 0
	go func() { close(b.closing) }()
	<-b.closing
}

// Middle closes it under the lock, after one more look.
type Middle struct {
	mu      sync.Mutex
	closing chan struct{}
}

// Stop ends it.
func (m *Middle) Stop() {
	select {
	case <-m.closing:
		return
	default:
	}
	go func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		select {
		case <-m.closing:
		default:
			close(m.closing)
		}
	}()
}
