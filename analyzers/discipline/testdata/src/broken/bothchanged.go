package broken

import (
	"net/http"
	"sync"
)

// Courier keeps the copies of what is under way.
type Courier struct {
	next http.RoundTripper
	mu   sync.Mutex
	sent map[*http.Request]*http.Request
}

func (c *Courier) RoundTrip(r *http.Request) (*http.Response, error) {
	own := r.Clone(r.Context())
	c.note(r, own)
	defer c.note(r, nil)
	return c.next.RoundTrip(own)
}

func (c *Courier) note(r, own *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sent == nil {
		c.sent = make(map[*http.Request]*http.Request)
	}
	if own != nil {
		c.sent[r] = own
	} else {
		delete(c.sent, r)
	}
}

// CancelRequest looks for the copy without the lock.
func (c *Courier) CancelRequest(r *http.Request) {
	own, ok := c.sent[r] // want `c.sent\[r\] is looked into here without c.mu, which all functions hold that change it, as \(\*Courier\).note does`
	if ok {
		c.next.(interface{ CancelRequest(*http.Request) }).CancelRequest(own)
	}
}
