package broken

import (
	"strconv"
	"sync"
)

// Diary begins a page where there is none, and lets go of its mutex for that.
type Diary struct {
	mu    sync.Mutex
	pages []*diaryPage
}

type diaryPage struct {
	title string
	from  *diaryPage
}

// Begin looks at the pages for the sake of the last one, and adds one whether or not there is any.
func (d *Diary) Begin(title string) {
	var last *diaryPage
	d.mu.Lock()
	if n := len(d.pages); n > 0 {
		last = d.pages[n-1]
	}
	d.mu.Unlock()
	page := &diaryPage{title: title, from: last}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pages = append(d.pages, page)
}

func (d *Diary) Current() diaryPage {
	d.mu.Lock()
	if len(d.pages) == 0 { // want `two goroutines can both pass the test of d.pages and both set it: d.mu is released in between`
		d.mu.Unlock()
		d.Begin("first")
		d.mu.Lock()
	}
	defer d.mu.Unlock()
	return *d.pages[len(d.pages)-1]
}

// Cashbook adds what it makes of a name that is a constant of another kind than the number compared.
type Cashbook struct {
	mu    sync.Mutex
	lines []string
}

func (l *Cashbook) Add(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, name+strconv.Itoa(len(l.lines)))
}

func (l *Cashbook) Last() string {
	l.mu.Lock()
	if len(l.lines) == 0 { // want `two goroutines can both pass the test of l.lines and both set it: l.mu is released in between`
		l.mu.Unlock()
		l.Add("")
		l.mu.Lock()
	}
	defer l.mu.Unlock()
	return l.lines[len(l.lines)-1]
}
