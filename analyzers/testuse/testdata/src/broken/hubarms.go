package broken

import "net/http"

// A goroutine that serves several channels closes them all in the arm by which it is ended, while others send on them.

type HallHub struct {
	arrivals   chan *hallGuest
	departures chan *hallGuest
	halt       chan bool
	guests     map[*hallGuest]bool
}

type hallGuest struct{ out chan string }

func NewHallHub() *HallHub {
	h := &HallHub{make(chan *hallGuest), make(chan *hallGuest), make(chan bool), map[*hallGuest]bool{}}
	go h.attend()
	return h
}

func (h *HallHub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g := &hallGuest{make(chan string)}
	h.arrivals <- g
	go func() {
		<-r.Context().Done()
		h.departures <- g // want `h.departures can be closed by \(\*HallHub\).attend before or during this send, which then panics`
	}()
	for s := range g.out {
		w.Write([]byte(s))
	}
}

func (h *HallHub) Shutdown() {
	h.halt <- true
}

func (h *HallHub) attend() {
	for {
		select {
		case g := <-h.arrivals:
			h.guests[g] = true
		case g := <-h.departures:
			delete(h.guests, g)
			close(g.out)
		case <-h.halt:
			close(h.departures)
			return
		}
	}
}
