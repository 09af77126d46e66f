package broken

import (
	"sync"
	"time"
)

// A SlidingView gives what it has every now and then, and ends when nothing comes any more.
type SlidingView struct {
	mu    sync.Mutex
	in    chan int
	out   chan []int
	taken []int
}

func NewSlidingView(in chan int) *SlidingView {
	v := &SlidingView{in: in, out: make(chan []int)}
	go v.receive()
	go v.emit()
	return v
}

func (v *SlidingView) Out() <-chan []int { return v.out }

func (v *SlidingView) receive() {
	for n := range v.in {
		v.mu.Lock()
		v.taken = append(v.taken, n)
		v.mu.Unlock()
	}
	close(v.out)
}

func (v *SlidingView) emit() {
	for {
		select {
		case <-time.After(time.Second):
			v.mu.Lock()
			taken := v.taken
			v.taken = nil
			v.mu.Unlock()
			v.out <- append([]int{}, taken...) // want `v.out is closed by \(\*SlidingView\).receive, at its end, while this loop, which never ends, goes on to send on it: the next send panics`
		}
	}
}

// A LeavingView has a sender that learns that there is nothing more.
type LeavingView struct {
	mu   sync.Mutex
	in   chan int
	out  chan int
	last int
	over bool
}

func NewLeavingView(in chan int) *LeavingView {
	v := &LeavingView{in: in, out: make(chan int)}
	go v.receive()
	go v.emit()
	return v
}

func (v *LeavingView) receive() {
	for n := range v.in {
		v.mu.Lock()
		v.last = n
		v.mu.Unlock()
	}
	v.mu.Lock()
	v.over = true
	close(v.out)
	v.mu.Unlock()
}

func (v *LeavingView) emit() {
	for {
		time.Sleep(time.Second)
		v.mu.Lock()
		if !v.over {
			v.out <- v.last
		}
		v.mu.Unlock()
	}
}

// An EchoingView sends only what still comes.
type EchoingView struct {
	in, out, next chan int
}

func NewEchoingView(in chan int) *EchoingView {
	v := &EchoingView{in: in, out: make(chan int), next: make(chan int)}
	go v.receive()
	go v.echo()
	return v
}

func (v *EchoingView) receive() {
	for n := range v.in {
		v.next <- n
	}
	close(v.out)
}

func (v *EchoingView) echo() {
	for {
		v.out <- <-v.next
	}
}
