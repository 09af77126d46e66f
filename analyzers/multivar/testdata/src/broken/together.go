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
