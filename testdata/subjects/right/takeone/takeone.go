// Package takeone serves jobs that a request takes out before it ends them.
package takeone

import (
	"net/rpc"
	"sync"
)

type job struct{ done chan struct{} }

// finish ends the job.
func (j *job) finish() {
	if j == nil || j.done == nil {
		return
	}
	close(j.done)
}

// Jobs is served.
type Jobs struct {
	mu  sync.Mutex
	all map[string]*job
}

func (s *Jobs) take(id string) *job {
	s.mu.Lock()
	defer s.mu.Unlock()
	j := s.all[id]
	delete(s.all, id)
	return j
}

// Begin puts one in.
func (s *Jobs) Begin(id string, reply *bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all[id] == nil {
		s.all[id] = &job{done: make(chan struct{})}
		*reply = true
	}
	return nil
}

// Finish ends one. Right: take gives each job to one request.
func (s *Jobs) Finish(id string, reply *bool) error {
	s.take(id).finish()
	*reply = true
	return nil
}

// Register registers it.
func Register(s *rpc.Server) error { return s.Register(&Jobs{all: map[string]*job{}}) }
