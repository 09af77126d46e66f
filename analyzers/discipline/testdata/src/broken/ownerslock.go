package broken

import (
	"sync"
	"time"
)

// A Logbook keeps entries; there are two kinds.
type Logbook interface {
	LastEntry() uint64
	FlushEntries() error
	ResetEntries() error
	Close(hard bool) error
	PutEntry() error
}

// PaperLog writes to pages, of which a goroutine of its own gets rid after a while.
type PaperLog struct {
	wm   sync.Mutex
	rm   sync.RWMutex
	old  []*leaf
	now  *leaf
	quit chan struct{}
}

type leaf struct {
	sync.RWMutex
	last uint64
}

func (p *leaf) newest() uint64 {
	p.RLock()
	defer p.RUnlock()
	return p.last
}

func (p *leaf) flush() error {
	p.Lock()
	defer p.Unlock()
	p.last++
	return nil
}

func NewPaperLog() *PaperLog {
	j := &PaperLog{now: new(leaf), quit: make(chan struct{})}
	go j.tidy()
	return j
}

func (j *PaperLog) tidy() {
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

func (j *PaperLog) LastEntry() uint64 {
	id := j.now.newest() // want `j.now is read here before j.rm is taken, which all functions hold that write it, as \(\*PaperLog\).ResetEntries does`
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

func (j *PaperLog) FlushEntries() error { return j.now.flush() }

func (j *PaperLog) PutEntry() error {
	j.wm.Lock()
	defer j.wm.Unlock()
	return j.now.flush()
}

func (j *PaperLog) ResetEntries() error {
	j.wm.Lock()
	j.rm.Lock()
	defer func() {
		j.rm.Unlock()
		j.wm.Unlock()
	}()
	j.now.flush()
	j.old = nil
	j.now = new(leaf)
	return nil
}

func (j *PaperLog) Close(hard bool) error {
	close(j.quit)
	j.wm.Lock()
	j.rm.Lock()
	err := j.now.flush()
	j.rm.Unlock()
	j.wm.Unlock()
	return err
}

// SlateLog forgets everything.
type SlateLog struct{ n uint64 }

func (j *SlateLog) LastEntry() uint64     { return j.n }
func (j *SlateLog) FlushEntries() error   { return nil }
func (j *SlateLog) ResetEntries() error   { j.n = 0; return nil }
func (j *SlateLog) Close(hard bool) error { return nil }

// Harbourmaster has the one or the other.
type Harbourmaster struct {
	mu   sync.Mutex
	book Logbook
	done uint64
}

func NewHarbourmaster(paper bool) *Harbourmaster {
	s := &Harbourmaster{book: new(SlateLog)}
	if paper {
		s.book = NewPaperLog()
	}
	go s.run()
	return s
}

// Behind does without the lock.
func (s *Harbourmaster) Behind() bool {
	return s.book.LastEntry() > s.done // want `s.book is accessed here without the lock that all other functions hold for it: s.mu in \(\*Harbourmaster\).Close`
}

func (s *Harbourmaster) Save() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.book.FlushEntries()
}

func (s *Harbourmaster) Clear() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.book.ResetEntries()
}

func (s *Harbourmaster) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.book != nil {
		s.book.Close(true)
		s.book = nil
	}
	return nil
}

func (j *SlateLog) PutEntry() error { return nil }

func (s *Harbourmaster) PutEntry() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.book.PutEntry()
}

func (s *Harbourmaster) run() {
	for range time.Tick(time.Second) {
		s.mu.Lock()
		s.book.FlushEntries()
		s.mu.Unlock()
	}
}
