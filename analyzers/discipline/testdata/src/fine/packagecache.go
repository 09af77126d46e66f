package fine

import (
	"net/http"
	"sync"
	"time"
)

var drivers = map[string]http.Handler{}

// RegisterDriver is called by init functions, and refuses what is there.
func RegisterDriver(name string, h http.Handler) {
	if _, ok := drivers[name]; ok {
		panic("registered twice: " + name)
	}
	drivers[name] = h
}

// Driver only looks.
func Driver(name string) http.Handler { return drivers[name] }

var (
	clientsMu sync.Mutex
	clients   = map[time.Duration]*http.Client{}
)

// ClientFor holds the lock.
func ClientFor(d time.Duration) *http.Client {
	clientsMu.Lock()
	defer clientsMu.Unlock()
	if c, ok := clients[d]; ok {
		return c
	}
	c := &http.Client{Timeout: d}
	clients[d] = c
	return c
}

var codes = map[string]int{}

// codeOf is called at the start alone.
func codeOf(name string) int {
	if c, ok := codes[name]; ok {
		return c
	}
	c := len(codes)
	codes[name] = c
	return c
}

func init() { codeOf("first") }
