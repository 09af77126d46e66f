// Sessions keeps one session for each user of a site in a sync.Map and checks
// that no request was counted in a session that is not in the table.
//
// Broken: table.of loads and, finding nothing, stores. "Load user, Store user"
// is expected to be one step; the second session replaces the first, with the
// requests counted there. LoadOrStore would do.
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
	browsers = 4
	users    = 20
)

type session struct {
	user     string
	requests atomic.Int32
}

type table struct {
	byUser sync.Map
}

func (t *table) of(user string) *session {
	if s, ok := t.byUser.Load(user); ok {
		return s.(*session)
	}
	s := &session{user: user}
	t.byUser.Store(user, s)
	return s
}

func main() {
	t := new(table)
	var running sync.WaitGroup
	for range browsers {
		running.Go(func() {
			for u := range users {
				time.Sleep(time.Duration(100+rand.IntN(1200)) * time.Microsecond)
				t.of(fmt.Sprintf("user%02d", u)).requests.Add(1)
			}
		})
	}
	running.Wait()
	counted := int32(0)
	t.byUser.Range(func(_, s any) bool {
		counted += s.(*session).requests.Load()
		return true
	})
	if counted != browsers*users {
		fmt.Printf("WRONG: %d requests are in sessions, %d were made\n", counted, browsers*users)
		os.Exit(1)
	}
	fmt.Printf("ok: %d requests\n", counted)
}
