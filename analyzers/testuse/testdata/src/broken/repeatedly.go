package broken

import "sync"

// A foundry has its workers begun by a function that is called for each, by literals, and by what runs what it is given.
type foundry struct {
	mu    sync.Mutex
	molds map[string]*ingot
	in    chan string
}

type ingot struct{ pours int }

func (f *foundry) known(k string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, ok := f.molds[k]
	return ok
}

func (f *foundry) keep(k string, m *ingot) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.molds[k] = m
}

func (f *foundry) begin(cast func(string) *ingot) { go f.work(cast) }

func (f *foundry) work(cast func(string) *ingot) {
	for k := range f.in {
		if !f.known(k) { // want `two goroutines can both pass the test of f.molds \(in f.known\) and both set it: f.mu is released in between`
			m := cast(k)
			m.pours++
			f.keep(k, m)
		}
	}
}

func RunFoundry(n int, cast func(string) *ingot, keys []string) {
	f := &foundry{molds: map[string]*ingot{}, in: make(chan string)}
	for range n {
		f.begin(cast)
	}
	for _, k := range keys {
		f.in <- k
	}
	close(f.in)
}

type kiln struct {
	mu    sync.Mutex
	molds map[string]*ingot
	in    chan string
}

func (f *kiln) known(k string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, ok := f.molds[k]
	return ok
}

func (f *kiln) keep(k string, m *ingot) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.molds[k] = m
}

func (f *kiln) work(cast func(string) *ingot) {
	for k := range f.in {
		if !f.known(k) { // want `two goroutines can both pass the test of f.molds \(in f.known\) and both set it: f.mu is released in between`
			m := cast(k)
			m.pours++
			f.keep(k, m)
		}
	}
}

func severalTimes(n int, f func()) {
	for i := 0; i < n; i++ {
		f()
	}
}

func RunKiln(n int, cast func(string) *ingot, keys []string) {
	f := &kiln{molds: map[string]*ingot{}, in: make(chan string)}
	severalTimes(n, func() { go f.work(cast) })
	for _, k := range keys {
		f.in <- k
	}
	close(f.in)
}

type furnace struct {
	mu    sync.Mutex
	molds map[string]*ingot
	in    chan string
}

func (f *furnace) known(k string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, ok := f.molds[k]
	return ok
}

func (f *furnace) keep(k string, m *ingot) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.molds[k] = m
}

func (f *furnace) work(cast func(string) *ingot) {
	for k := range f.in {
		if !f.known(k) { // want `two goroutines can both pass the test of f.molds \(in f.known\) and both set it: f.mu is released in between`
			m := cast(k)
			m.pours++
			f.keep(k, m)
		}
	}
}

func inGoroutines(n int, f func()) {
	for range n {
		go f()
	}
}

func RunFurnace(n int, cast func(string) *ingot, keys []string) {
	f := &furnace{molds: map[string]*ingot{}, in: make(chan string)}
	inGoroutines(n, func() { f.work(cast) })
	for _, k := range keys {
		f.in <- k
	}
	close(f.in)
}
