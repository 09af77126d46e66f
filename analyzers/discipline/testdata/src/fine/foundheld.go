package fine

import (
	"os"
	"sync"
)

// A spool is a file of a rack.
type spool struct {
	size int64
	file *os.File
}

// Rack gives spools away: who takes one has it alone.
type Rack struct {
	mu     sync.Mutex
	spools []*spool
}

func (r *Rack) Write(p []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.spools[len(r.spools)-1]
	n, err := s.file.WriteAt(p, s.size)
	s.size += int64(n)
	if err != nil {
		s.file = nil
	}
	return err
}

func (r *Rack) pop() *spool {
	s := r.spools[0]
	r.spools = r.spools[1:]
	return s
}

func (r *Rack) Take(p []byte) error {
	r.mu.Lock()
	s := r.pop()
	r.mu.Unlock()
	_, err := s.file.ReadAt(p, 0)
	return err
}

// Look copies what it needs under the lock.
func (r *Rack) Look(p []byte) error {
	r.mu.Lock()
	s := r.first()
	f := s.file
	r.mu.Unlock()
	_, err := f.ReadAt(p, 0)
	return err
}

func (r *Rack) first() *spool { return r.spools[0] }
