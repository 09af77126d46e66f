package fine

import (
	"net/http"
	"os"
	"sync"
	"sync/atomic"
)

// Pulpits keeps one number for all.
type Pulpits struct {
	busy bool
	last string
}

func (p *Pulpits) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	p.busy = req.ContentLength > 0 // one word
	p.last = "somebody"            // the same whoever it is
}

// FirstFailure lets the first one of them say why it could not, and one of them what it saw.
func FirstFailure(files []string) (error, string) {
	var failure error
	var seen string
	var taken atomic.Bool
	var wg sync.WaitGroup
	for i, f := range files {
		wg.Go(func() {
			if e := os.Remove(f); e != nil && taken.CompareAndSwap(false, true) {
				failure = e
			}
			if i == 0 {
				seen = string(f[0])
			}
		})
	}
	wg.Wait()
	return failure, seen
}

// OneByOne waits for each before the next one.
func OneByOne(files []string) error {
	var failure error
	for _, f := range files {
		done := make(chan struct{})
		go func() {
			defer close(done)
			if e := os.Remove(f); e != nil {
				failure = e
			}
		}()
		<-done
	}
	return failure
}

// UnderLock holds one for it.
func UnderLock(files []string) error {
	var mu sync.Mutex
	var failure error
	var wg sync.WaitGroup
	for _, f := range files {
		wg.Go(func() {
			if e := os.Remove(f); e != nil {
				mu.Lock()
				failure = e
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return failure
}

// Parcels hands out what it has.
type Parcels struct {
	mu   sync.Mutex
	free *Parcel
}

// Parcel is one's own until it is given back.
type Parcel struct {
	to   string
	next *Parcel
}

func (p *Parcels) take() *Parcel {
	p.mu.Lock()
	defer p.mu.Unlock()
	one := p.free
	if one == nil {
		one = new(Parcel)
	} else {
		p.free = one.next
		*one = Parcel{}
	}
	return one
}

func (p *Parcels) give(one *Parcel) {
	p.mu.Lock()
	defer p.mu.Unlock()
	one.next = p.free
	p.free = one
}

func (p *Parcels) ServeHTTP(w http.ResponseWriter, req *http.Request) { p.send(req.URL.Path, w) }

func (p *Parcels) send(to string, w http.ResponseWriter) {
	one := p.take()
	one.to = to
	w.Write([]byte("sent"))
	p.give(one)
}
