package fine

import (
	"errors"
	"net/http"
	"reflect"
	"sync"
	"sync/atomic"
)

type plugin struct{ state atomic.Int32 }

func (p *plugin) tryUnload() bool { return p.state.CompareAndSwap(1, 0) }

type Plugins struct{ byName sync.Map }

func (p *Plugins) Load(name string) error {
	n := &plugin{}
	n.state.Store(1)
	if _, ok := p.byName.LoadOrStore(name, n); ok {
		return errors.New("loaded already")
	}
	return nil
}

// Unload deletes what nobody can have replaced, and one goroutine alone comes to that.
func (p *Plugins) Unload(name string) error {
	v, ok := p.byName.Load(name)
	if !ok {
		return errors.New("unknown")
	}
	n := v.(*plugin)
	if !n.tryUnload() {
		return errors.New("runs still")
	}
	p.byName.Delete(name)
	return nil
}

type relay struct {
	endpoints *sync.Map
	in        chan string
}

func (r *relay) knows(k string) bool {
	_, ok := r.endpoints.Load(k)
	return ok
}

// start gives the literal to one goroutine.
func (r *relay) start() {
	find := func(k string) chan int {
		if v, ok := r.endpoints.Load(k); ok {
			return v.(chan int)
		}
		c := make(chan int, 1)
		r.endpoints.Store(k, c)
		go func() {
			for range c {
			}
		}()
		return c
	}
	go func() {
		for k := range r.in {
			find(k) <- 1
		}
	}()
}

type Relays struct{ all sync.Map }

func (r *Relays) Add(k string) {
	n := &relay{endpoints: new(sync.Map), in: make(chan string)}
	if _, loaded := r.all.LoadOrStore(k, n); !loaded {
		n.start()
	}
}

func (r *Relays) Knows(k, to string) bool {
	v, ok := r.all.Load(k)
	return ok && v.(*relay).knows(to)
}

// A visitor's answers are sent by goroutines of their own, which do not look at allowed.
type visitor struct {
	allowed   bool
	requests  chan string
	responses chan string
	quit      chan struct{}
}

type Reception struct {
	wg   sync.WaitGroup
	quit chan struct{}
	lock sync.Mutex
}

func NewReception(mux *http.ServeMux) *Reception {
	r := &Reception{quit: make(chan struct{})}
	mux.HandleFunc("/ws", func(w http.ResponseWriter, req *http.Request) {
		v := &visitor{allowed: req.Header.Get("a") == "x", requests: make(chan string), responses: make(chan string), quit: make(chan struct{})}
		r.receive(v)
	})
	return r
}

func (r *Reception) receive(v *visitor) {
	r.wg.Add(2)
	go r.respond(v)
	go r.send(v)
	<-v.quit
}

func (r *Reception) send(v *visitor) {
	defer r.wg.Done()
	for s := range v.responses {
		println(s)
	}
	close(v.quit)
}

func (r *Reception) respond(v *visitor) {
	defer r.wg.Done()
	for {
		select {
		case s, ok := <-v.requests:
			if !ok {
				return
			}
			if s == "auth" {
				if v.allowed {
					return
				}
				v.allowed = true
				v.responses <- "ok"
				continue
			}
			if !v.allowed {
				return
			}
			go func() { v.responses <- s }()
		case <-r.quit:
			return
		}
	}
}

// A CodeChannel is closed by who has won the flag, which may send before.
type CodeChannel struct {
	closed uint32
	out    chan string
	stop   chan struct{}
}

func (c *CodeChannel) Emit(codes []string) {
	for len(codes) > 0 {
		select {
		case <-c.stop:
			return
		default:
			codes = codes[1:]
		}
	}
	if atomic.CompareAndSwapUint32(&c.closed, 0, 1) {
		close(c.out)
	}
}

func (c *CodeChannel) Handle(event string) {
	if atomic.LoadUint32(&c.closed) == 1 {
		return
	}
	close(c.stop)
	if atomic.CompareAndSwapUint32(&c.closed, 0, 1) {
		c.out <- event
		close(c.out)
	}
}

type Marker interface{ Mark() }

const (
	kindUnknown = iota
	kindNone
	kindType
	kindPointer
)

var (
	kinds      = map[reflect.Type]int{}
	kindsMutex sync.RWMutex
	marker     = reflect.TypeFor[Marker]()
)

// kindOf finds the same out each time.
func kindOf(t reflect.Type) int {
	kindsMutex.RLock()
	kind := kinds[t]
	kindsMutex.RUnlock()
	if kind == kindUnknown {
		kindsMutex.Lock()
		defer kindsMutex.Unlock()
		if t.Implements(marker) {
			kinds[t] = kindType
		} else if reflect.PointerTo(t).Implements(marker) {
			kinds[t] = kindPointer
		} else {
			kinds[t] = kindNone
		}
		kind = kinds[t]
	}
	return kind
}

func KindOf(x any) int { return kindOf(reflect.TypeOf(x)) }
