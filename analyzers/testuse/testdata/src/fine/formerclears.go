package fine

import (
	"context"
	"sync"
	"sync/atomic"
)

// Oven is put out by its goroutine alone.
type Oven struct {
	lit  atomic.Bool
	quit chan struct{}
	bake func()
}

func (o *Oven) Light() bool {
	if !o.lit.CompareAndSwap(false, true) {
		return false
	}
	go func() {
		defer o.lit.Store(false)
		<-o.quit
		o.bake()
	}()
	return true
}

func (o *Oven) PutOut() { o.quit <- struct{}{} }

// Stove waits for its goroutine before it takes the flag back.
type Stove struct {
	lit  atomic.Bool
	wg   sync.WaitGroup
	quit context.CancelFunc
}

func (s *Stove) Light() bool {
	if !s.lit.CompareAndSwap(false, true) {
		return false
	}
	ctx, quit := context.WithCancel(context.Background())
	s.quit = quit
	s.wg.Add(1)
	go s.glow(ctx)
	return true
}

func (s *Stove) glow(ctx context.Context) {
	defer s.wg.Done()
	<-ctx.Done()
	s.lit.Store(false)
}

func (s *Stove) PutOut() {
	s.quit()
	s.wg.Wait()
	s.lit.Store(false)
}
