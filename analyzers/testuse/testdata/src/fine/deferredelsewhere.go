package fine

import "sync"

// A Weirgate passes on what comes in.
type Weirgate struct {
	once sync.Once
	out  chan int
	read func() (int, error)
	say  func(string) error
	tap  *sync.WaitGroup
}

func NewWeirgate(read func() (int, error), say func(string) error) *Weirgate {
	w := &Weirgate{out: make(chan int, 16), read: read, say: say}
	go w.run()
	return w
}

func (w *Weirgate) run() {
	for {
		n, err := w.read()
		if err != nil {
			return
		}
		w.pass(n)
	}
}

func (w *Weirgate) pass(n int) {
	select {
	case w.out <- n:
	default:
	}
}

func (w *Weirgate) Out() <-chan int { return w.out }

func (w *Weirgate) Close() error {
	w.tap.Wait()
	w.shut()
	return w.say("bye")
}

func (w *Weirgate) shut() {
	w.once.Do(func() {
		close(w.out)
	})
}
