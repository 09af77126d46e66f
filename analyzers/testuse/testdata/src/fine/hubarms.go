package fine

import (
	"net/http"
	"sync"
)

// The goroutine that serves several channels is ended by who has waited for those who send on them.

type HallHub struct {
	departures chan *hallGuest
	halt       chan bool
	guests     map[*hallGuest]bool
	senders    sync.WaitGroup
}

type hallGuest struct{ out chan string }

func NewHallHub() *HallHub {
	h := &HallHub{departures: make(chan *hallGuest), halt: make(chan bool), guests: map[*hallGuest]bool{}}
	go h.attend()
	return h
}

func (h *HallHub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g := &hallGuest{make(chan string)}
	h.senders.Add(1)
	go func() {
		defer h.senders.Done()
		<-r.Context().Done()
		h.departures <- g
	}()
	for s := range g.out {
		w.Write([]byte(s))
	}
}

// Shutdown waits for all requests.
func (h *HallHub) Shutdown() {
	h.senders.Wait()
	h.halt <- true
}

func (h *HallHub) attend() {
	for {
		select {
		case g := <-h.departures:
			delete(h.guests, g)
			close(g.out)
		case <-h.halt:
			close(h.departures)
			return
		}
	}
}

// HallRelay closes the channel when the last of its senders has said so, in the channel of another arm.
type HallRelay struct {
	in   chan int
	last chan bool
	left int
	mu   sync.Mutex
}

func NewHallRelay(n int) *HallRelay {
	r := &HallRelay{in: make(chan int), last: make(chan bool), left: n}
	go r.carry()
	for range n {
		go r.feed()
	}
	return r
}

func (r *HallRelay) feed() {
	for i := range 3 {
		r.in <- i
	}
	r.mu.Lock()
	r.left--
	last := r.left == 0
	r.mu.Unlock()
	if last {
		r.last <- true
	}
}

func (r *HallRelay) carry() {
	for {
		select {
		case <-r.in:
		case <-r.last:
			close(r.in)
			return
		}
	}
}
