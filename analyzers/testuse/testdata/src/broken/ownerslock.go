package broken

import (
	"sync"
	"time"
)

// A Chart keeps entries; there are two kinds.
type Chart interface {
	LastEntry() uint64
	FlushEntries() error
	ResetEntries() error
	Close(hard bool) error
	PutEntry() error
}

// PaperChart writes to pages, of which a goroutine of its own gets rid after a while.
type PaperChart struct {
	wm   sync.Mutex
	rm   sync.RWMutex
	old  []*chartSheet
	now  *chartSheet
	quit chan struct{}
}

type chartSheet struct {
	sync.RWMutex
	last uint64
}

func (p *chartSheet) newest() uint64 {
	p.RLock()
	defer p.RUnlock()
	return p.last
}

func (p *chartSheet) flush() error {
	p.Lock()
	defer p.Unlock()
	p.last++
	return nil
}

func NewPaperChart() *PaperChart {
	j := &PaperChart{now: new(chartSheet), quit: make(chan struct{})}
	go j.tidy()
	return j
}

func (j *PaperChart) tidy() {
	for {
		select {
		case <-j.quit:
			return
		default:
			j.rm.Lock()
			j.old = j.old[:0]
			j.rm.Unlock()
		}
	}
}

func (j *PaperChart) LastEntry() uint64 {
	id := j.now.newest()
	if id > 0 {
		return id
	}
	j.rm.RLock()
	defer j.rm.RUnlock()
	if len(j.old) == 0 {
		return 0
	}
	return j.old[len(j.old)-1].last
}

func (j *PaperChart) FlushEntries() error { return j.now.flush() }

func (j *PaperChart) PutEntry() error {
	j.wm.Lock()
	defer j.wm.Unlock()
	return j.now.flush()
}

func (j *PaperChart) ResetEntries() error {
	j.wm.Lock()
	j.rm.Lock()
	defer func() {
		j.rm.Unlock()
		j.wm.Unlock()
	}()
	j.now.flush()
	j.old = nil
	j.now = new(chartSheet)
	return nil
}

func (j *PaperChart) Close(hard bool) error {
	close(j.quit) // want `j.quit is closed without a look whether it is closed already: a second call panics, and those that share the object can each make one`
	j.wm.Lock()
	j.rm.Lock()
	err := j.now.flush()
	j.rm.Unlock()
	j.wm.Unlock()
	return err
}

// SlateChart forgets everything.
type SlateChart struct{ n uint64 }

func (j *SlateChart) LastEntry() uint64     { return j.n }
func (j *SlateChart) FlushEntries() error   { return nil }
func (j *SlateChart) ResetEntries() error   { j.n = 0; return nil }
func (j *SlateChart) Close(hard bool) error { return nil }

// Steersman has the one or the other.
type Steersman struct {
	mu   sync.Mutex
	book Chart
	done uint64
}

func NewPilot(paper bool) *Steersman {
	s := &Steersman{book: new(SlateChart)}
	if paper {
		s.book = NewPaperChart()
	}
	go s.run()
	return s
}

func (s *Steersman) Behind() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.book.LastEntry() > s.done
}

func (s *Steersman) Save() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.book.FlushEntries()
}

func (s *Steersman) Clear() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.book.ResetEntries()
}

// Close leaves the book where it is, for a second call to find.
func (s *Steersman) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.book != nil {
		s.book.Close(true)
	}
	return nil
}

func (j *SlateChart) PutEntry() error { return nil }

func (s *Steersman) PutEntry() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.book.PutEntry()
}

func (s *Steersman) run() {
	for range time.Tick(time.Second) {
		s.mu.Lock()
		s.book.FlushEntries()
		s.mu.Unlock()
	}
}
