package fine

import (
	"context"
	"net/http"
	"sync"
)

type pigeonhole struct {
	mu     sync.Mutex
	closed bool
	once   sync.Once
	notes  chan string
	done   chan struct{}
}

// CloakRoom has a hole for each name, with a lock of its own under which its end is told.
type CloakRoom struct {
	mu    sync.Mutex
	holes sync.Map
}

func (o *CloakRoom) Open(name string) {
	o.holes.Store(name, &pigeonhole{notes: make(chan string, 8), done: make(chan struct{})})
}

func (o *CloakRoom) Put(name, note string) {
	if v, ok := o.holes.Load(name); ok {
		h := v.(*pigeonhole)
		h.mu.Lock()
		defer h.mu.Unlock()
		if !h.closed {
			h.notes <- note
		}
	}
}

func (o *CloakRoom) Shut(name string) {
	if v, ok := o.holes.LoadAndDelete(name); ok {
		h := v.(*pigeonhole)
		h.mu.Lock()
		h.closed = true
		close(h.notes)
		h.mu.Unlock()
	}
}

// PhoneCalls is a client: who takes the entry out owns its channel.
type PhoneCalls struct {
	mu      sync.Mutex
	pending sync.Map
}

func (c *PhoneCalls) Call(id int) string {
	answer := make(chan string, 1)
	c.pending.Store(id, answer)
	return <-answer
}

func (c *PhoneCalls) Answer(id int, text string) {
	if v, ok := c.pending.LoadAndDelete(id); ok {
		v.(chan string) <- text
	}
}

func (c *PhoneCalls) Close() {
	c.pending.Range(func(key, _ any) bool {
		if v, ok := c.pending.LoadAndDelete(key); ok {
			close(v.(chan string))
		}
		return true
	})
}

// Mates has another channel for the end, beside that on which it sends, which is never closed.
type Mates struct {
	mu    sync.Mutex
	holes sync.Map
}

func (m *Mates) Open(name string) {
	m.holes.Store(name, &pigeonhole{notes: make(chan string, 8), done: make(chan struct{})})
}

func (m *Mates) Put(name, note string) {
	if v, ok := m.holes.Load(name); ok {
		h := v.(*pigeonhole)
		select {
		case h.notes <- note:
		case <-h.done:
		}
	}
}

func (m *Mates) Shut(name string) {
	if v, ok := m.holes.LoadAndDelete(name); ok {
		close(v.(*pigeonhole).done)
	}
}

type boarderIn struct {
	once sync.Once
	gone chan struct{}
}

// Inn closes each boarderIn's channel once.
type Inn struct {
	mu     sync.Mutex
	guests sync.Map
}

func (i *Inn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g := &boarderIn{gone: make(chan struct{})}
	i.guests.Store(r.URL.Path, g)
	defer i.guests.Delete(r.URL.Path)
	select {
	case <-r.Context().Done():
		g.once.Do(func() { close(g.gone) })
	case <-g.gone:
	}
}

func (i *Inn) Shutdown(ctx context.Context) {
	i.guests.Range(func(key, value any) bool {
		g := value.(*boarderIn)
		g.once.Do(func() { close(g.gone) })
		return true
	})
}

type tenant struct{ gone chan struct{} }

// Flat lets who takes the entry out close the channel.
type Flat struct {
	mu      sync.Mutex
	tenants sync.Map
}

func (f *Flat) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	t := &tenant{gone: make(chan struct{})}
	f.tenants.Store(r.URL.Path, t)
	select {
	case <-r.Context().Done():
		if _, ok := f.tenants.LoadAndDelete(r.URL.Path); ok {
			close(t.gone)
		}
	case <-t.gone:
	}
}

func (f *Flat) Shutdown(ctx context.Context) {
	f.tenants.Range(func(key, _ any) bool {
		if v, ok := f.tenants.LoadAndDelete(key); ok {
			close(v.(*tenant).gone)
		}
		return true
	})
}

// Gondola leaves the channel of a ride to the collector.
type Gondola struct{ rides sync.Map }

type ride struct {
	from  string
	loads chan []byte
	gone  chan struct{}
}

func (g *Gondola) Serve(in chan []byte) {
	for load := range in {
		var r *ride
		v, ok := g.rides.Load(string(load[:4]))
		if !ok {
			r = &ride{string(load[:4]), make(chan []byte, 8), make(chan struct{})}
			g.rides.Store(r.from, r)
			go g.go1(r)
		} else {
			r = v.(*ride)
		}
		select {
		case r.loads <- load:
		case <-r.gone:
		}
	}
}

func (g *Gondola) go1(r *ride) {
	go func() {
		g.rides.Delete(r.from)
		close(r.gone)
	}()
	for {
		select {
		case <-r.loads:
		case <-r.gone:
			return
		}
	}
}

// CallCentre closes the channel of who has called only where nobody can have it.
type CallCentre struct{ callers sync.Map }

func (h *CallCentre) Listen(in chan [2]int) {
	for range 4 {
		go func() {
			for a := range in {
				h.answer(a[0], a[1])
			}
		}()
	}
}

func (h *CallCentre) answer(id, text int) {
	if v, ok := h.callers.LoadAndDelete(id); ok {
		ch := v.(chan int)
		ch <- text
		close(ch)
	}
}

func (h *CallCentre) Call(ctx context.Context, id int) int {
	ch := make(chan int, 1)
	h.callers.Store(id, ch)
	defer func() {
		if _, mine := h.callers.LoadAndDelete(id); mine {
			close(ch)
		}
	}()
	select {
	case n := <-ch:
		return n
	case <-ctx.Done():
		return 0
	}
}
