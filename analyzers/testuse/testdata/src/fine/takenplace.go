package fine

import (
	"errors"
	"io"
	"sync"
)

var errRoom = errors.New("room: taken")

// Who leaves looks whether it is still the one who is there.

type Rooms struct {
	mu     sync.Mutex
	guests map[string]io.Closer
	next   int
	asked  map[int]chan string
}

func (r *Rooms) Stay(name string, c io.Closer, talk func() error) error {
	r.mu.Lock()
	before := r.guests[name]
	r.guests[name] = c
	r.mu.Unlock()
	if before != nil {
		before.Close()
	}
	defer func() {
		r.mu.Lock()
		if r.guests[name] == c {
			delete(r.guests, name)
		}
		r.mu.Unlock()
	}()
	return talk()
}

// Nobody comes while somebody is there.

func (r *Rooms) Book(name string, c io.Closer, talk func() error) error {
	r.mu.Lock()
	if _, taken := r.guests[name]; taken {
		r.mu.Unlock()
		return errRoom
	}
	r.guests[name] = c
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		delete(r.guests, name)
		r.mu.Unlock()
	}()
	return talk()
}

// Each has a number of its own.

func (r *Rooms) Ask(send func(int)) string {
	answer := make(chan string, 1)
	r.mu.Lock()
	r.next++
	n := r.next
	r.asked[n] = answer
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		delete(r.asked, n)
		r.mu.Unlock()
	}()
	send(n)
	return <-answer
}

func (r *Rooms) Answer(n int, text string) {
	r.mu.Lock()
	ch := r.asked[n]
	r.mu.Unlock()
	if ch != nil {
		ch <- text
	}
}
