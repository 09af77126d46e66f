package broken

import (
	"sync"
	"sync/atomic"
)

// Sums are replaced where the lock is given up at once.
type Sums struct {
	mu  sync.Mutex
	all map[string]int
}

func (s *Sums) Add(k string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all[k] += n
}

func (s *Sums) Each(f func(string, int)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for k, n := range s.all {
		f(k, n)
	}
}

func (s *Sums) Clear() {
	s.mu.Lock() // want `s.mu is locked and unlocked at once; s.all, which it guards elsewhere, is used afterwards without it`
	s.mu.Unlock()
	s.all = make(map[string]int)
}

// Dials counts what it opens.
type Dials struct{ opened, failed int64 }

func (d *Dials) Dial(f func() error) error {
	if err := f(); err != nil {
		atomic.AddInt64(&d.failed, 1)
		return err
	}
	atomic.AddInt64(&d.opened, 1)
	return nil
}

// ResetStats returns what was counted since the last time.
func (d *Dials) ResetStats() (opened, failed int64) {
	opened = d.opened // want `d.opened is accessed without sync/atomic here and with it elsewhere`
	d.opened = 0
	return opened, atomic.SwapInt64(&d.failed, 0)
}

func (d *Dials) Watch(ticks <-chan struct{}, show func(opened, failed int64)) {
	go func() {
		for range ticks {
			show(d.ResetStats())
		}
	}()
}
