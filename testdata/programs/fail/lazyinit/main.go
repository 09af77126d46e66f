// Lazyinit counts the requests to each route of a service, giving a route its
// meter when the first request comes, and checks that no request is missing.
//
// Broken: route.hit makes the meter if there is none, with no lock. "Test
// meter, set meter" is expected to be one step; of two requests that both find
// none, the second replaces the first one's meter and what it counted.
package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
)

const (
	clients = 4
	routes  = 250
)

type meter struct {
	key  [sha256.Size]byte
	hits atomic.Int64
}

func newMeter(path string) *meter {
	return &meter{key: sha256.Sum256([]byte(path))}
}

type route struct {
	path  string
	meter *meter
}

func (r *route) hit() {
	if r.meter == nil {
		r.meter = newMeter(r.path)
	}
	r.meter.hits.Add(1)
}

type service struct {
	routes []*route
}

// client requests every route once and returns a digest of the answers.
func (s *service) client(number int) (digest [sha256.Size]byte) {
	for _, r := range s.routes {
		r.hit()
		digest = sha256.Sum256(fmt.Appendf(digest[:], "client %d at %s", number, r.path))
	}
	return digest
}

func main() {
	s := new(service)
	for n := range routes {
		s.routes = append(s.routes, &route{path: fmt.Sprintf("/v1/things/%03d", n)})
	}
	digests := make([][sha256.Size]byte, clients)
	var running sync.WaitGroup
	start := make(chan struct{})
	for c := range clients {
		running.Go(func() {
			<-start
			digests[c] = s.client(c)
		})
	}
	close(start)
	running.Wait()

	var hits int64
	for _, r := range s.routes {
		hits += r.meter.hits.Load()
	}
	if hits != clients*routes {
		fmt.Printf("WRONG: %d requests metered, %d were made\n", hits, clients*routes)
		os.Exit(1)
	}
	fmt.Printf("ok: %d requests metered on %d routes\n", hits, routes)
}
