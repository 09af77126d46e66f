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

// Canvass may be called by many, and has a map for each call.
type Canvass struct {
	mu    sync.Mutex
	calls int
	heard chan string
}

// Ask gathers what is heard.
func (c *Canvass) Ask(n int) map[string]int {
	c.mu.Lock()
	c.calls++
	c.mu.Unlock()
	results := map[string]int{}
	var err error
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for s := range c.heard {
			results[s]++
			if _, err = net.LookupHost(s); err != nil || len(results) == n {
				return
			}
		}
	}()
	wg.Wait()
	return results
}

// headcount is made for each call of Count.
type headcount struct {
	by   map[string]int
	last string
	done chan struct{}
}

func (t *headcount) run(in <-chan string) {
	defer close(t.done)
	for s := range in {
		t.by[s]++
		t.last = s
		println(t.last)
	}
}

// Count counts in a goroutine.
func (c *Canvass) Count() map[string]int {
	t := &headcount{by: map[string]int{}, done: make(chan struct{})}
	go t.run(c.heard)
	<-t.done
	return t.by
}

func (c *Canvass) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for s := range c.Ask(len(r.URL.Path)) {
		w.Write([]byte(s))
	}
	for s := range c.Count() {
		w.Write([]byte(s))
	}
}
