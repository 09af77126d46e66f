package closed

import (
	"context"
	"sync"
)

// Scanner is started anew as often as its user likes.
type Scanner struct {
	mu      sync.Mutex
	cancel  context.CancelFunc
	done    chan struct{}
	quit    chan struct{}
	wg      sync.WaitGroup
	running bool
	began   bool
}

// Scan ends the last scan, and does not wait for it.
func (s *Scanner) Scan(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.began { // which is set elsewhere
		return
	}
	s.cancel()
	ctx, s.cancel = context.WithCancel(ctx)
	s.done = make(chan struct{}) // want `the goroutine that is started here closes whatever channel s.done holds by then: started again before that, two of them close the new one`
	go s.scan(ctx)
}

func (s *Scanner) scan(ctx context.Context) {
	defer close(s.done)
	<-ctx.Done()
}

// Begun is what the goroutines tell.
func (s *Scanner) Begun() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.began = true
}

// Again ends the last one by a channel.
func (s *Scanner) Again() {
	s.do(func() {
		close(s.quit)
		s.quit = make(chan struct{})
		s.done = make(chan struct{}) // want `the goroutine that is started here closes whatever channel s.done holds by then`
		quit := s.quit
		go func() {
			defer func() {
				close(s.done)
			}()
			<-quit
		}()
	})
}

func (s *Scanner) do(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

// Wait is for the scan that runs.
func (s *Scanner) Wait() { <-s.done }

// Rescan waits for the last one.
func (s *Scanner) Rescan(ctx context.Context) {
	s.cancel()
	<-s.done
	ctx, s.cancel = context.WithCancel(ctx)
	s.done = make(chan struct{})
	go s.scan(ctx)
}

func (s *Scanner) finish() {
	s.cancel()
	s.wg.Wait()
}

// Renew waits in another method.
func (s *Scanner) Renew(ctx context.Context) {
	s.finish()
	ctx, s.cancel = context.WithCancel(ctx)
	s.done = make(chan struct{})
	go s.scan(ctx)
}

// Once is started once at a time.
func (s *Scanner) Once(ctx context.Context) {
	if s.running {
		return
	}
	s.running = true
	s.cancel()
	ctx, s.cancel = context.WithCancel(ctx)
	s.done = make(chan struct{})
	go s.scan(ctx)
}

// Own hands the goroutine its channel.
func (s *Scanner) Own(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancel()
	ctx, s.cancel = context.WithCancel(ctx)
	done := make(chan struct{})
	s.done = done
	go func() {
		defer close(done)
		<-ctx.Done()
	}()
}

// NewScanner has the first one for itself.
func NewScanner(ctx context.Context) *Scanner {
	s := &Scanner{quit: make(chan struct{})}
	ctx, s.cancel = context.WithCancel(ctx)
	s.done = make(chan struct{})
	go s.scan(ctx)
	return s
}
