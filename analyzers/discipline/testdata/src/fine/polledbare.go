package fine

import (
	"sync"
	"time"
)

// Reader reads until it has met the end itself.
type StepReader struct {
	text string
	done bool
}

func (r *StepReader) Close() { r.done = true }

func (r *StepReader) All() {
	for !r.done {
		r.step()
	}
}

func (r *StepReader) step() {
	if r.text == "" {
		r.Close()
		return
	}
	r.text = r.text[1:]
}

// Repeater works once, or again and again, as it was told before it runs.
type Repeater struct {
	once bool
	work func()
}

func (r *Repeater) Once() *Repeater {
	r.once = true
	return r
}

func (r *Repeater) Run() {
	for {
		r.work()
		if r.once {
			return
		}
		time.Sleep(time.Second)
	}
}

// Window has one goroutine, in which its callbacks run, too.
type EventWindow struct {
	quit bool
	keys func() rune
	key  func(w *EventWindow, r rune)
}

func (w *EventWindow) Close() { w.quit = true }

func (w *EventWindow) Loop() {
	for {
		if w.quit {
			return
		}
		w.key(w, w.keys())
	}
}

// Drawer looks with the lock.
type Drawer struct {
	mu   sync.Mutex
	over bool
}

func (d *Drawer) Start() {
	go func() {
		for !d.ended() {
			time.Sleep(time.Millisecond)
		}
	}()
}

func (d *Drawer) ended() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.over
}

func (d *Drawer) Finish() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.over = true
}

// Taker is told by the channel, before which the flag is set.
type Taker struct {
	jobs chan func()
	over bool
}

func (t *Taker) Start() {
	go func() {
		for {
			if f, ok := <-t.jobs; ok {
				f()
			}
			if t.over {
				return
			}
		}
	}()
}

func (t *Taker) Stop() {
	t.over = true
	close(t.jobs)
}
