// Publish serves requests from a configuration that is replaced while they
// run. A configuration is filled by one goroutine, published through an
// atomic.Pointer and never changed afterwards; every request checks that the
// one it sees is complete.
package main

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
)

const (
	servers  = 5
	requests = 60
	versions = 20
	routes   = 8
)

type config struct {
	version int
	routes  map[string]int
	sum     int
}

// newConfig fills a configuration that nobody else knows yet.
func newConfig(version int) *config {
	c := &config{version: version, routes: make(map[string]int)}
	for r := range routes {
		c.routes[fmt.Sprintf("/route/%d", r)] = version*100 + r
		c.sum += version*100 + r
	}
	return c
}

type service struct {
	current atomic.Pointer[config]
}

// reload publishes the next version; only one goroutine reloads.
func (s *service) reload() {
	next := newConfig(s.current.Load().version + 1)
	s.current.Store(next)
}

// request checks the configuration and returns its version.
func (s *service) request() (version int, whole bool) {
	c := s.current.Load()
	sum := 0
	for r := range routes {
		sum += c.routes[fmt.Sprintf("/route/%d", r)]
	}
	return c.version, sum == c.sum && len(c.routes) == routes
}

func main() {
	s := new(service)
	s.current.Store(newConfig(1))
	var torn, backwards atomic.Int32
	var running sync.WaitGroup
	start := make(chan struct{})
	for range servers {
		running.Go(func() {
			<-start
			last := 0
			for range requests {
				version, whole := s.request()
				if !whole {
					torn.Add(1)
				}
				if version < last {
					backwards.Add(1)
				}
				last = version
			}
		})
	}
	running.Go(func() {
		<-start
		for range versions - 1 {
			s.reload()
		}
	})
	close(start)
	running.Wait()

	if v := s.current.Load().version; v != versions || torn.Load() > 0 || backwards.Load() > 0 {
		fmt.Printf("WRONG: version %d, %d requests saw a torn configuration, %d an older one than before\n",
			v, torn.Load(), backwards.Load())
		os.Exit(1)
	}
	fmt.Printf("ok: %d requests while version 1 became %d\n", servers*requests, versions)
}
