package fine

import (
	"context"
	"sync"
)

// A Hygrometer waits for its goroutine.
type Hygrometer struct {
	mu     sync.Mutex
	out    chan float64
	done   chan struct{}
	cancel context.CancelFunc
}

func NewHygrometer(read func() float64) *Hygrometer {
	ctx, cancel := context.WithCancel(context.Background())
	h := &Hygrometer{out: make(chan float64), done: make(chan struct{}), cancel: cancel}
	go humid(ctx, read, h.out, h.done)
	return h
}

func humid(ctx context.Context, read func() float64, out chan<- float64, done chan struct{}) {
	defer close(done)
	for {
		select {
		case <-ctx.Done():
			return
		case out <- read():
		}
	}
}

func (h *Hygrometer) Close() {
	h.cancel()
	<-h.done
	close(h.out)
}

// A TallyList sends what there is, and that is all.
type TallyList struct {
	mu  sync.Mutex
	out chan int
}

func NewTallyList(list []int) *TallyList {
	t := &TallyList{out: make(chan int, len(list))}
	go func(out chan<- int) {
		for _, n := range list {
			out <- n
		}
	}(t.out)
	return t
}

func (t *TallyList) Close() { close(t.out) }

// A Dripper survives the end.
type Dripper struct {
	mu  sync.Mutex
	out chan int
}

func NewDripper() *Dripper {
	d := &Dripper{out: make(chan int)}
	go func(out chan<- int) {
		defer func() { _ = recover() }()
		for {
			out <- 1
		}
	}(d.out)
	return d
}

func (d *Dripper) Close() { close(d.out) }
