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

// Poller can be stopped and started again.
type Poller struct {
	mu      sync.Mutex
	running bool
	quit    chan struct{}
	done    chan struct{}
}

func (p *Poller) Start() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running {
		return
	}
	p.running = true
	p.quit = make(chan struct{})
	p.done = make(chan struct{}) // want `the goroutine that is started here closes whatever channel p.done holds by then`
	go p.poll(p.quit)
}

func (p *Poller) poll(quit chan struct{}) {
	<-quit
	close(p.done)
}

// Stop does not wait.
func (p *Poller) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running {
		p.running = false
		close(p.quit)
	}
}

func (p *Poller) Wait() { <-p.done }

// Waiting is one whose Stop waits.
type Waiting struct {
	mu      sync.Mutex
	running bool
	quit    chan struct{}
	done    chan struct{}
}

func (p *Waiting) Start() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running {
		return
	}
	p.running = true
	p.quit = make(chan struct{})
	p.done = make(chan struct{})
	go p.poll(p.quit)
}

func (p *Waiting) poll(quit chan struct{}) {
	<-quit
	close(p.done)
}

func (p *Waiting) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running {
		p.running = false
		close(p.quit)
		<-p.done
	}
}

// Single is stopped for good.
type Single struct {
	mu      sync.Mutex
	running bool
	quit    chan struct{}
	done    chan struct{}
}

func (p *Single) Start() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running {
		return
	}
	p.running = true
	p.quit = make(chan struct{})
	p.done = make(chan struct{})
	go p.poll(p.quit)
}

func (p *Single) poll(quit chan struct{}) {
	<-quit
	close(p.done)
}

func (p *Single) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.quit)
}
