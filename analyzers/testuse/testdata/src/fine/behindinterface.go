package fine

import (
	"sync"
	"sync/atomic"
	"time"
)

// collector is what goroutines work for.
type collector interface{ collect() }

type flows struct {
	workers atomic.Int32
	pool    chan struct{}
	quit    chan struct{}
}

func (f *flows) collect() {
	go func() { f.enlarge() }()
	for range f.pool {
		select {
		case <-f.quit:
			return
		default:
		}
	}
}

// enlarge adds workers.
func (f *flows) enlarge() {
	for range time.Tick(time.Minute) {
		if f.workers.Load()+30 > 1000 {
			continue
		}
		for range 30 {
			go func() {
				f.workers.Add(1)
				f.pool <- struct{}{}
			}()
		}
	}
}

type samples struct{ flows }

func (s *samples) collect() { s.flows.collect() }

func collectAll(list []collector) {
	var wg sync.WaitGroup
	for _, c := range list {
		wg.Add(1)
		go func(c collector) {
			defer wg.Done()
			c.collect()
		}(c)
	}
	wg.Wait()
}

var _ = collectAll
