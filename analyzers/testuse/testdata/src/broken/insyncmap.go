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

// Shuttle has a crossing for each passenger, whose goroutine ends it when nothing comes.
type Shuttle struct{ crossings sync.Map }

type crossing struct {
	from  string
	loads chan []byte
}

func (f *Shuttle) Serve(in chan []byte) {
	for load := range in {
		var c *crossing
		v, ok := f.crossings.Load(string(load[:4]))
		if !ok {
			c = &crossing{string(load[:4]), make(chan []byte, 8)}
			f.crossings.Store(c.from, c)
			go f.cross(c)
		} else {
			c = v.(*crossing)
		}
		c.loads <- load // want `c.loads can be closed by \(\*Shuttle\).cross before or during this send, which then panics: crossings had handed out its value`
	}
}

func (f *Shuttle) cross(c *crossing) {
	go func() {
		waitForIdle(c.from)
		f.crossings.Delete(c.from)
		close(c.loads)
	}()
	for range c.loads {
	}
}

func waitForIdle(string) {}

// Nightline answers calls that may have been given up meanwhile.
type Nightline struct{ callers sync.Map }

func (h *Nightline) Listen(in chan [2]int) {
	for range 4 {
		go func() {
			for a := range in {
				h.answer(a[0], a[1])
			}
		}()
	}
}

func (h *Nightline) answer(id, text int) {
	if v, ok := h.callers.Load(id); ok {
		ch := v.(chan int)
		ch <- text // want `ch can be closed by \(\*Nightline\).Call before or during this send, which then panics`
	}
}

func (h *Nightline) Call(ctx context.Context, id int) int {
	ch := make(chan int, 1)
	h.callers.Store(id, ch)
	defer func() {
		h.callers.Delete(id)
		close(ch)
	}()
	select {
	case n := <-ch:
		return n
	case <-ctx.Done():
		return 0
	}
}
