package fine

import (
	"sync"
	"time"
)

// A Diary keeps entries; there are two kinds.
type Diary interface {
	LastEntry() uint64
	FlushEntries() error
	ResetEntries() error
	Close(hard bool) error
	PutEntry() error
}

// PaperDiary writes to pages, of which a goroutine of its own gets rid after a while.
type PaperDiary struct {
	wm   sync.Mutex
	rm   sync.RWMutex
	old  []*folio
	now  *folio
	quit chan struct{}
}

type folio struct {
	sync.RWMutex
	last uint64
}

func (p *folio) newest() uint64 {
	p.RLock()
	defer p.RUnlock()
	return p.last
}

func (p *folio) flush() error {
	p.Lock()
	defer p.Unlock()
	p.last++
	return nil
}

func NewPaperDiary() *PaperDiary {
	j := &PaperDiary{now: new(folio), quit: make(chan struct{})}
	go j.tidy()
	return j
}

func (j *PaperDiary) tidy() {
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

func (j *PaperDiary) LastEntry() uint64 {
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

func (j *PaperDiary) FlushEntries() error { return j.now.flush() }

func (j *PaperDiary) PutEntry() error {
	j.wm.Lock()
	defer j.wm.Unlock()
	return j.now.flush()
}

func (j *PaperDiary) ResetEntries() error {
	j.wm.Lock()
	j.rm.Lock()
	defer func() {
		j.rm.Unlock()
		j.wm.Unlock()
	}()
	j.now.flush()
	j.old = nil
	j.now = new(folio)
	return nil
}

func (j *PaperDiary) Close(hard bool) error {
	close(j.quit)
	j.wm.Lock()
	j.rm.Lock()
	err := j.now.flush()
	j.rm.Unlock()
	j.wm.Unlock()
	return err
}

// SlateDiary forgets everything.
type SlateDiary struct{ n uint64 }

func (j *SlateDiary) LastEntry() uint64     { return j.n }
func (j *SlateDiary) FlushEntries() error   { return nil }
func (j *SlateDiary) ResetEntries() error   { j.n = 0; return nil }
func (j *SlateDiary) Close(hard bool) error { return nil }

// Clerk has the one or the other.
type Clerk struct {
	mu   sync.Mutex
	book Diary
	done uint64
}

func NewClerk(paper bool) *Clerk {
	s := &Clerk{book: new(SlateDiary)}
	if paper {
		s.book = NewPaperDiary()
	}
	go s.run()
	return s
}

func (s *Clerk) Behind() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.book.LastEntry() > s.done
}

func (s *Clerk) Save() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.book.FlushEntries()
}

func (s *Clerk) Clear() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.book.ResetEntries()
}

func (s *Clerk) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.book != nil {
		s.book.Close(true)
		s.book = nil
	}
	return nil
}

func (j *SlateDiary) PutEntry() error { return nil }

func (s *Clerk) PutEntry() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.book.PutEntry()
}

func (s *Clerk) run() {
	for range time.Tick(time.Second) {
		s.mu.Lock()
		s.book.FlushEntries()
		s.mu.Unlock()
	}
}
