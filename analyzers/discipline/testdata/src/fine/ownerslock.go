package fine

import (
	"sync"
	"time"
)

// A Journal keeps entries; there are two kinds.
type Journal interface {
	LastEntry() uint64
	FlushEntries() error
	ResetEntries() error
	Close(hard bool) error
	PutEntry() error
}

// PaperJournal writes to pages, of which a goroutine of its own gets rid after a while.
type PaperJournal struct {
	wm   sync.Mutex
	rm   sync.RWMutex
	old  []*page
	now  *page
	quit chan struct{}
}

type page struct {
	sync.RWMutex
	last uint64
}

func (p *page) newest() uint64 {
	p.RLock()
	defer p.RUnlock()
	return p.last
}

func (p *page) flush() error {
	p.Lock()
	defer p.Unlock()
	p.last++
	return nil
}

func NewPaperJournal() *PaperJournal {
	j := &PaperJournal{now: new(page), quit: make(chan struct{})}
	go j.tidy()
	return j
}

func (j *PaperJournal) tidy() {
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

func (j *PaperJournal) LastEntry() uint64 {
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

func (j *PaperJournal) FlushEntries() error { return j.now.flush() }

func (j *PaperJournal) PutEntry() error {
	j.wm.Lock()
	defer j.wm.Unlock()
	return j.now.flush()
}

func (j *PaperJournal) ResetEntries() error {
	j.wm.Lock()
	j.rm.Lock()
	defer func() {
		j.rm.Unlock()
		j.wm.Unlock()
	}()
	j.now.flush()
	j.old = nil
	j.now = new(page)
	return nil
}

func (j *PaperJournal) Close(hard bool) error {
	close(j.quit)
	j.wm.Lock()
	j.rm.Lock()
	err := j.now.flush()
	j.rm.Unlock()
	j.wm.Unlock()
	return err
}

// SlateJournal forgets everything.
type SlateJournal struct{ n uint64 }

func (j *SlateJournal) LastEntry() uint64     { return j.n }
func (j *SlateJournal) FlushEntries() error   { return nil }
func (j *SlateJournal) ResetEntries() error   { j.n = 0; return nil }
func (j *SlateJournal) Close(hard bool) error { return nil }

// Stenograph has the one or the other.
type Stenograph struct {
	mu   sync.Mutex
	book Journal
	done uint64
}

func NewStenograph(paper bool) *Stenograph {
	s := &Stenograph{book: new(SlateJournal)}
	if paper {
		s.book = NewPaperJournal()
	}
	go s.run()
	return s
}

func (s *Stenograph) Behind() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.book.LastEntry() > s.done
}

func (s *Stenograph) Save() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.book.FlushEntries()
}

func (s *Stenograph) Clear() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.book.ResetEntries()
}

func (s *Stenograph) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.book != nil {
		s.book.Close(true)
		s.book = nil
	}
	return nil
}

func (j *SlateJournal) PutEntry() error { return nil }

func (s *Stenograph) PutEntry() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.book.PutEntry()
}

func (s *Stenograph) run() {
	for range time.Tick(time.Second) {
		s.mu.Lock()
		s.book.FlushEntries()
		s.mu.Unlock()
	}
}
