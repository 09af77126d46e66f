package broken

import "sync"

// Diary groups its fields in a struct of their own, and its lock in another one.
type Diary struct {
	guard struct{ mu sync.Mutex }
	pages diaryPages
}

type diaryPages struct {
	entries []string
	marks   []string
	closed  bool
	done    chan struct{}
}

func (d *Diary) Note(entry string) {
	d.guard.mu.Lock()
	defer d.guard.mu.Unlock()
	if !d.pages.closed {
		d.pages.entries = append(d.pages.entries, entry)
	}
}

func (d *Diary) Mark(page string) {
	d.pages.marks = append(d.pages.marks, page) // want `d.pages.marks is accessed here without a lock, and in \(\*Diary\).Close under d.guard.mu, the one lock of Diary, which guards all else that changes of it`
}

func (d *Diary) Close() (all, marks []string) {
	d.guard.mu.Lock()
	defer d.guard.mu.Unlock()
	d.pages.closed = true
	return d.pages.entries, append([]string(nil), d.pages.marks...)
}

// Choir has two locks in one object.
type Choir struct {
	mu, loud sync.Mutex
	voices   struct {
		silent bool
		over   chan struct{}
	}
}

func (c *Choir) Fail() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.voices.silent { // want `c.voices.silent is tested and set here under c.mu, and under c.loud in \(\*Choir\).Close: neither keeps the other out`
		return
	}
	c.voices.silent = true
	close(c.voices.over)
}

func (c *Choir) Close() {
	c.loud.Lock()
	defer c.loud.Unlock()
	if !c.voices.silent {
		c.voices.silent = true
		close(c.voices.over)
	}
}
