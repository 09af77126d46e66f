package broken

import (
	"context"
	"sync"
	"time"
)

// A Foghorn tells its keeper of what it hears.
type Foghorn struct {
	mu     sync.Mutex
	blasts chan string
	closed bool
	fog    *fogBank
}

type fogBank struct {
	mu    sync.Mutex
	lines []string
}

func NewFoghorn() *Foghorn {
	f := &Foghorn{fog: &fogBank{}}
	f.blasts = make(chan string, 10)
	go f.fog.forward(f.blasts)
	return f
}

func (f *fogBank) next() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.lines) == 0 {
		return ""
	}
	line := f.lines[0]
	f.lines = f.lines[1:]
	return line
}

func (f *fogBank) forward(to chan string) {
	for {
		line := f.next()
		if line == "" {
			time.Sleep(time.Second)
			continue
		}
		to <- line
	}
}

func (f *Foghorn) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil
	}
	close(f.blasts) // want `f.blasts is closed here while the goroutine that NewFoghorn starts goes on sending on it, as to: nothing waits for that to end, and its next send panics`
	f.closed = true
	return nil
}

// A Barograph draws what it is told.
type Barograph struct {
	mu     sync.Mutex
	out    chan float64
	cancel context.CancelFunc
}

func NewBarograph(read func() float64) *Barograph {
	ctx, cancel := context.WithCancel(context.Background())
	out := make(chan float64)
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case out <- read():
			}
		}
	}()
	return &Barograph{out: out, cancel: cancel}
}

func (b *Barograph) Out() <-chan float64 { return b.out }

func (b *Barograph) Stop() {
	b.cancel()
	close(b.out) // want `b.out is closed here while the goroutine that NewBarograph starts goes on sending on it, as out: nothing waits for that to end, and its next send panics`
}

// A Sundial tells the time.
type Sundial struct {
	mu    sync.Mutex
	hours chan int
}

func (d *Sundial) Start() {
	d.hours = make(chan int)
	go func(hours chan<- int) {
		for i := 0; ; i++ {
			hours <- i % 12
		}
	}(d.hours)
}

func (d *Sundial) Close() {
	close(d.hours) // want `d.hours is closed here while the goroutine that \(\*Sundial\).Start starts goes on sending on it, as hours: nothing waits for that to end, and its next send panics`
}
