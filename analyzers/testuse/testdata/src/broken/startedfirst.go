package broken

import (
	"sync"
	"sync/atomic"
)

// Tickers starts a reader for the first who listens.
type Tickers struct {
	mu        sync.Mutex
	listeners atomic.Int32
	guests    int
	out       chan int
}

// Listen starts it itself.
func (f *Tickers) Listen() <-chan int {
	if f.listeners.Load() == 0 { // want `two goroutines can both find f.listeners at zero before either adds to it, and both start a goroutine: who comes first is told by what it was raised to`
		go f.read()
	}
	f.listeners.Add(1)
	return f.out
}

// Watch has a critical section that ends too soon, and counts in a method.
func (f *Tickers) Watch() <-chan int {
	f.mu.Lock()
	first := f.listeners.Load() == 0 // want `two goroutines can both find f.listeners at zero`
	if first {
		go f.read()
	}
	f.mu.Unlock()
	f.enter()
	return f.out
}

// Visit does so with a lock, twice.
func (f *Tickers) Visit() <-chan int {
	f.mu.Lock()
	first := f.guests == 0 // want `two goroutines can both find f.guests at zero`
	f.mu.Unlock()
	if first {
		f.begin()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.guests++
	return f.out
}

func (f *Tickers) Leave() {
	f.listeners.Add(-1)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.guests--
}

func (f *Tickers) enter() { f.listeners.Add(1) }

func (f *Tickers) begin() { go f.read() }

func (f *Tickers) read() { f.out <- 1 }
