// Reload changes the configuration of a server while requests read it, and
// checks that each request saw an address and a version that belong together.
//
// Broken: server.reload stores the fields and server.current loads them with no
// lock. Both are expected to be one step.
package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

const (
	handlers = 4
	requests = 20
	reloads  = 15
)

type server struct {
	version int
	port    int
}

func (s *server) reload(version int) {
	s.version = version
	s.port = 8000 + version
}

func (s *server) current() (version, port int) {
	return s.version, s.port
}

func main() {
	s := &server{version: 1, port: 8001}
	var running sync.WaitGroup
	var torn atomic.Int32
	running.Go(func() {
		for v := range reloads {
			time.Sleep(time.Duration(400+rand.IntN(1200)) * time.Microsecond)
			s.reload(v + 2)
		}
	})
	for range handlers {
		running.Go(func() {
			for range requests {
				time.Sleep(time.Duration(200+rand.IntN(1000)) * time.Microsecond)
				if version, port := s.current(); port != 8000+version {
					torn.Add(1)
				}
			}
		})
	}
	running.Wait()
	if n := torn.Load(); n > 0 {
		fmt.Printf("WRONG: %d requests saw half a reload\n", n)
		os.Exit(1)
	}
	fmt.Printf("ok: %d requests\n", handlers*requests)
}
