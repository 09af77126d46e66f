package broken

import (
	"context"
	"sync"
	"time"
)

// A Ferryboat carries events to its reader. Close waits for those that send, but for a while only.
type Ferryboat struct {
	events chan string
	wg     sync.WaitGroup
	once   sync.Once
	stop   context.CancelFunc
}

func NewFerryboat(lines <-chan string) *Ferryboat {
	ctx, cancel := context.WithCancel(context.Background())
	f := &Ferryboat{events: make(chan string, 8), stop: cancel}
	f.wg.Add(1)
	go f.read(ctx, lines)
	return f
}

func (f *Ferryboat) read(ctx context.Context, lines <-chan string) {
	defer f.wg.Done()
	for l := range lines {
		select {
		case f.events <- l: // want `f.events can be closed by \(\*Ferryboat\).Close before or during this send, which then panics`
		case <-ctx.Done():
			return
		}
	}
}

func (f *Ferryboat) Close() error {
	f.stop()
	done := make(chan struct{})
	go func() {
		f.wg.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Second):
		println("still reading")
	}
	f.once.Do(func() { close(f.events) })
	return nil
}
