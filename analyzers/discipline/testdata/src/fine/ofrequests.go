package fine

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

// Guestlist has a lock for what it notes.
type Guestlist struct {
	mu   sync.Mutex
	seen map[string]time.Time
}

func (g *Guestlist) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	g.seen[r.RemoteAddr] = time.Now()
	g.mu.Unlock()
}

// visit is made for each request.
type visit struct {
	notes map[string]string
}

func newVisit(r *http.Request) *visit { return &visit{notes: map[string]string{}} }

// Visits makes one for each.
func Visits(w http.ResponseWriter, r *http.Request) {
	v := newVisit(r)
	v.note(r.URL.Path)
}

func (v *visit) note(s string) { v.notes[s] = s }

// Toll dials for one request each time.
type Toll struct {
	paid map[string]int
}

func (t *Toll) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	t.paid[addr] = len(addr)
	return net.Dial(network, addr)
}

// Once makes a client for the request.
func Once(w http.ResponseWriter, r *http.Request) {
	t := &Toll{paid: map[string]int{}}
	c := &http.Client{Transport: &http.Transport{DialContext: t.dial}}
	c.Get(r.URL.Path)
}

// Roster gives each of its goroutines a map of its own.
func Roster(names []string) []map[string]int {
	out := make([]map[string]int, len(names))
	var wg sync.WaitGroup
	for i, n := range names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			m := map[string]int{}
			m[n] = len(n)
			out[i] = m
		}()
	}
	wg.Wait()
	return out
}
