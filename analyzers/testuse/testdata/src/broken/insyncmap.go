package broken

import (
	"context"
	"net/http"
	"sync"
)

type mailbox struct {
	letters chan string
	done    chan struct{}
}

// PostOffice has a box for each address.
type PostOffice struct {
	mu    sync.Mutex
	boxes sync.Map
}

func (p *PostOffice) Open(address string) {
	b := &mailbox{letters: make(chan string, 8), done: make(chan struct{})}
	p.boxes.Store(address, b)
	go func() {
		defer close(b.done)
		for range b.letters {
		}
	}()
}

// Deliver may come to the send when the box is closed.
func (p *PostOffice) Deliver(address, letter string) {
	if v, ok := p.boxes.Load(address); ok {
		v.(*mailbox).letters <- letter // want `can be closed by \(\*PostOffice\).Shut before or during this send, which then panics`
	}
}

func (p *PostOffice) Shut(address string) {
	if v, ok := p.boxes.LoadAndDelete(address); ok {
		b := v.(*mailbox)
		close(b.letters)
		<-b.done
	}
}

// Counters does both in one function, on channels that are the values themselves.
type Counters struct {
	mu    sync.Mutex
	lines sync.Map
}

func (c *Counters) Open(name string) { c.lines.Store(name, make(chan int, 3)) }

func (c *Counters) Count(name string, n int, last bool) {
	if last {
		v, ok := c.lines.LoadAndDelete(name)
		if ok {
			close(v.(chan int))
		}
		return
	}
	v, ok := c.lines.Load(name)
	if !ok {
		return
	}
	line := v.(chan int)
	line <- n // want `line can be closed by \(\*Counters\).Count before or during this send`
}

type viewer struct{ gone chan struct{} }

// Theatre ends all that are there, and each ends itself.
type Theatre struct {
	mu      sync.Mutex
	viewers sync.Map
}

func (t *Theatre) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v := &viewer{gone: make(chan struct{})}
	t.viewers.Store(r.URL.Path, v)
	defer t.viewers.Delete(r.URL.Path)
	select {
	case <-r.Context().Done():
		close(v.gone)
	case <-v.gone:
	}
}

func (t *Theatre) Shutdown(ctx context.Context) {
	t.viewers.Range(func(key, value any) bool {
		if v, ok := value.(*viewer); ok {
			close(v.gone) // want `v.gone is closed here for each value of viewers, and by \(\*Theatre\).ServeHTTP`
		}
		t.viewers.Delete(key)
		return true
	})
}
