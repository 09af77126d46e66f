package broken

import (
	"context"
	"sync"
)

// Errand tells those who wait for it before its result is there.
type Errand struct {
	done   chan struct{}
	result string
	err    error
}

func (e *Errand) finish(result string, err error) {
	e.err = err
	close(e.done) // want `e.done is closed before e.result is stored: \(\*Errand\).Wait waits for it, and can go on to the other when it is not there yet`
	e.result = result
}

func (e *Errand) Wait(ctx context.Context) (string, error) {
	select {
	case <-e.done:
		return e.result, e.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// Start runs it.
func Start(do func() (string, error)) *Errand {
	e := &Errand{done: make(chan struct{})}
	go func() { e.finish(do()) }()
	return e
}

// Porter stores the error under a lock, when all know that it is over.
type Porter struct {
	mu   sync.Mutex
	quit chan struct{}
	why  error
}

func (p *Porter) Stop(why error) {
	close(p.quit) // want `p.quit is closed before p.why is stored: \(\*Porter\).Why waits for it`
	p.mu.Lock()
	p.why = why
	p.mu.Unlock()
}

func (p *Porter) Why() error {
	<-p.quit
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.why
}
