package broken

import "sync"

type Address struct {
	mu   sync.Mutex
	host string
	port int
	name string
	note string
}

func (a *Address) Set(host string, port int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.host, a.port = host, port
	a.name = host
}

func (a *Address) Clear() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.host, a.port = "", 0
	a.note = ""
}

// Default sets apart what all others set together.
func (a *Address) Default() {
	a.mu.Lock()
	a.host = "localhost" // want `a.host is set in an earlier critical section than a.port`
	a.mu.Unlock()
	a.mu.Lock()
	a.port = 80
	a.mu.Unlock()
}

// Rename sets what others set singly as well.
func (a *Address) Rename(name, note string) {
	a.mu.Lock()
	a.name = name
	a.mu.Unlock()
	a.mu.Lock()
	a.note = note
	a.mu.Unlock()
}

// Window has the number of its first line beside the lines.
type Window struct {
	mu    sync.RWMutex
	first int
	lines []string
	count int
}

func (w *Window) Line(n int) string {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if n < w.first || n-w.first >= len(w.lines) {
		return ""
	}
	return w.lines[n-w.first]
}

func (w *Window) drop(n int) {
	w.mu.Lock()
	w.lines = w.lines[n:]
	w.mu.Unlock()
}

func (w *Window) move(n int) {
	w.mu.Lock()
	w.first += n
	w.mu.Unlock()
}

func (w *Window) note(n int) {
	w.mu.Lock()
	w.count += n
	w.mu.Unlock()
}

// Scroll drops lines before it moves the number of the first one.
func (w *Window) Scroll(n int) {
	w.drop(n) // want `w.lines is set in an earlier critical section than w.first`
	w.move(n)
}

// Cut does both at once.
func (w *Window) Cut(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lines = w.lines[n:]
	w.first += n
}

// Count drops lines and counts them, which is no index.
func (w *Window) Count(n int) {
	w.drop(n)
	w.note(n)
}
