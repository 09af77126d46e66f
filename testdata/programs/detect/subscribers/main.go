// Subscribers keeps the list of a topic's subscribers, which is copied when it
// changes so that publishers need no lock while they send, and checks that
// nobody who has subscribed is missing.
//
// Broken, although every access is locked: topic.subscribe copies the list that
// it has read in one critical section and stores the copy in another. "Read
// list, write list" is expected to be one step.
package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"time"
)

const (
	clients = 6
	each    = 8
)

type topic struct {
	mu   sync.Mutex
	list []string
}

func (t *topic) subscribers() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.list
}

func (t *topic) subscribe(name string) {
	t.mu.Lock()
	old := t.list
	t.mu.Unlock()

	list := make([]string, 0, len(old)+1)
	list = append(append(list, old...), name)

	t.mu.Lock()
	t.list = list
	t.mu.Unlock()
}

func main() {
	t := new(topic)
	var running sync.WaitGroup
	for c := range clients {
		running.Go(func() {
			for n := range each {
				time.Sleep(time.Duration(200+rand.IntN(2500)) * time.Microsecond)
				t.subscribe(fmt.Sprintf("client %d, stream %d", c, n))
			}
		})
	}
	running.Wait()
	if n := len(t.subscribers()); n != clients*each {
		fmt.Printf("WRONG: %d of %d subscribers are left\n", n, clients*each)
		os.Exit(1)
	}
	fmt.Printf("ok: %d subscribers\n", clients*each)
}
