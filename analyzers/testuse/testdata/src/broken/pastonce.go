package broken

import "sync"

// Wicket is closed by who has it, and by the yard that it is in.
type Wicket struct {
	mu   sync.Mutex
	done chan struct{}
	once sync.Once
}

func (w *Wicket) Close() error {
	w.once.Do(func() { w.shut() })
	return nil
}

func (w *Wicket) shut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	close(w.done) // want `w.done is closed here whatever its state: \(\*Wicket\).Close comes here only once, and \(\*Yard\).Close.* comes besides`
}

// Yard has a Once of its own, which is another one.
type Yard struct {
	mu      sync.Mutex
	wickets map[string]*Wicket
	once    sync.Once
}

func (y *Yard) Open(name string) *Wicket {
	y.mu.Lock()
	defer y.mu.Unlock()
	w := &Wicket{done: make(chan struct{})}
	y.wickets[name] = w
	return w
}

func (y *Yard) Close() error {
	y.once.Do(func() {
		y.mu.Lock()
		defer y.mu.Unlock()
		for _, w := range y.wickets {
			w.shut()
		}
	})
	return nil
}

// PastDrain is ended by its reader as well.
type PastDrain struct {
	mu   sync.Mutex
	end  chan struct{}
	once sync.Once
	in   chan int
	sum  int
}

func NewDrain() *PastDrain {
	d := &PastDrain{end: make(chan struct{}), in: make(chan int)}
	go d.read()
	return d
}

func (d *PastDrain) Close() { d.once.Do(d.finish) }

func (d *PastDrain) finish() {
	close(d.end) // want `d.end is closed here`
}

func (d *PastDrain) read() {
	for v := range d.in {
		d.mu.Lock()
		d.sum += v
		d.mu.Unlock()
	}
	d.finish()
}

func (d *PastDrain) Sum() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.sum
}
