package fine

import (
	"errors"
	"sync"
	"time"
)

var errNoWeir = errors.New("closed")

// Weir is closed when nobody is inside.
type Weir struct {
	mu   sync.RWMutex
	shut bool
	flow chan int
}

func (s *Weir) Put(i int) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.shut {
		return errNoWeir
	}
	s.flow <- i
	return nil
}

func (s *Weir) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shut {
		return
	}
	s.shut = true
	time.AfterFunc(time.Second, func() { close(s.flow) })
}

type haltOrder struct{}

// Booth is served by one goroutine.
type Booth struct {
	mu     sync.RWMutex
	shut   bool
	orders chan any
	gone   chan struct{}
}

func OpenBooth() *Booth {
	k := &Booth{orders: make(chan any, 4), gone: make(chan struct{})}
	go k.serve()
	return k
}

func (k *Booth) Order(what string) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if !k.shut {
		k.orders <- what
	}
}

func (k *Booth) Close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.shut {
		return
	}
	k.shut = true
	k.orders <- haltOrder{}
	<-k.gone
}

func (k *Booth) serve() {
	for o := range k.orders {
		if _, stop := o.(haltOrder); stop {
			close(k.orders)
			close(k.gone)
			return
		}
	}
}
