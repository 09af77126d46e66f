// Doubleclose shuts down a server's sessions from three places at once (the
// signal handler, the idle reaper and the accept loop that has failed) and
// checks that every session was closed exactly once.
//
// session.close tests and sets the closed flag by one CompareAndSwap.
package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
)

const sessions = 100

type session struct {
	id     int
	outbox []byte // what was not sent yet; fixed before the shutdown begins
	closed atomic.Bool
	done   chan struct{}
}

// close ends the session; further calls do nothing.
func (s *session) close() {
	if s.closed.CompareAndSwap(false, true) {
		close(s.done)
	}
}

// A closer walks over all sessions and closes them.
type closer struct {
	name    string
	panics  int
	receipt [sha256.Size]byte
}

func (c *closer) run(all []*session) {
	for _, s := range all {
		c.receipt = sha256.Sum256(append(c.receipt[:], s.outbox...))
		c.shut(s)
	}
}

// shut closes one session and survives its panic, as a server must that has
// more sessions to close.
func (c *closer) shut(s *session) {
	defer func() {
		if recover() != nil {
			c.panics++
		}
	}()
	s.close()
}

func main() {
	all := make([]*session, sessions)
	var ended atomic.Int32
	var waiting sync.WaitGroup
	for i := range all {
		s := &session{id: i, outbox: make([]byte, 2048), done: make(chan struct{})}
		s.outbox[i%len(s.outbox)] = byte(i)
		all[i] = s
		waiting.Go(func() {
			<-s.done
			ended.Add(1)
		})
	}

	closers := []*closer{{name: "signal"}, {name: "reaper"}, {name: "accept"}}
	var running sync.WaitGroup
	start := make(chan struct{})
	for _, c := range closers {
		running.Go(func() {
			<-start
			c.run(all)
		})
	}
	close(start)
	running.Wait()
	waiting.Wait()

	panics := 0
	for _, c := range closers {
		panics += c.panics
	}
	if panics > 0 {
		fmt.Printf("WRONG: %d of %d sessions were closed twice\n", panics, sessions)
		os.Exit(1)
	}
	fmt.Printf("ok: %d sessions closed once each\n", ended.Load())
}
