package broken

import (
	"context"
	"sync"
)

type listenerOf struct{ news chan string }

// Stall tells all who listen, and gives up those that are too slow.
type Stall struct {
	mu        sync.Mutex
	listeners map[int]*listenerOf
	next      int
}

func (s *Stall) Listen(ctx context.Context, tell func(string)) {
	news := make(chan string, 4)
	s.mu.Lock()
	s.next++
	id := s.next
	s.listeners[id] = &listenerOf{news: news}
	s.mu.Unlock()
	go func() {
		<-ctx.Done()
		s.mu.Lock()
		delete(s.listeners, id)
		s.mu.Unlock()
		close(news) // want `news may have been closed by \(\*Stall\).Tell, which finds it in Stall.listeners\[\], when it is closed by \(\*Stall\).Listen.*: that does not ask`
	}()
	for n := range news {
		tell(n)
	}
}

func (s *Stall) Tell(n string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, l := range s.listeners {
		select {
		case l.news <- n:
		default:
			delete(s.listeners, id)
			close(l.news)
		}
	}
}

// Weir closes them all in the end.
type Weir struct {
	mu   sync.Mutex
	outs map[string]chan int
}

func (r *Weir) Serve(name string, stop <-chan struct{}) {
	out := make(chan int)
	r.mu.Lock()
	r.outs[name] = out
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.outs, name)
		close(out) // want `out may have been closed by \(\*Weir\).Close`
	}()
	<-stop
}

func (r *Weir) Close() {
	r.mu.Lock()
	for name, out := range r.outs {
		close(out)
		delete(r.outs, name)
	}
	r.mu.Unlock()
}
