// Package visits counts the visitors of a web server, wrongly: two who come together
// may be counted as one. Its test uses httptest.Server and http.Client as most do.
package visits

import (
	"fmt"
	"net/http"
	"sync"
)

// A Counter answers each request with its number.
type Counter struct {
	mu sync.Mutex
	n  int
}

// Visits is how many have been counted.
func (c *Counter) Visits() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

func (c *Counter) set(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n = n
}

func (c *Counter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n := c.Visits() + 1
	c.set(n)
	fmt.Fprintf(w, "you are visitor %d\n", n)
}
