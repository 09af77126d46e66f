package fine

import "sync"

// Diary has a part with a lock of its own, which is another object: that the lock of the
// diary guards all else does not tell anything of it.
type Diary struct {
	mu      sync.Mutex
	entries []string
	closed  bool
	pages   diaryPages
}

type diaryPages struct {
	mu    sync.Mutex
	marks []string
	ahead int
}

func (d *Diary) Note(entry string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.closed {
		d.entries = append(d.entries, entry)
	}
}

func (d *Diary) Mark(page string) {
	d.pages.mu.Lock()
	defer d.pages.mu.Unlock()
	d.pages.marks = append(d.pages.marks, page)
}

func (d *Diary) Ahead() { d.pages.ahead++ }

func (d *Diary) Close() (all []string, ahead int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	return d.entries, d.pages.ahead
}
