// Package enclaim has jobs that are claimed by whoever changes them.
package enclaim

import "sync"

type stage int

const (
	waiting stage = iota
	built
	tested
)

type job struct{ stage stage }

// Line has jobs. The set busy has those that somebody works at: nobody else changes them.
type Line struct {
	mu   sync.Mutex
	jobs map[string]*job
	busy map[string]bool
}

// New makes a line.
func New(names ...string) *Line {
	l := &Line{jobs: map[string]*job{}, busy: map[string]bool{}}
	for _, n := range names {
		l.jobs[n] = &job{}
	}
	return l
}

func (l *Line) claim(name string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.busy[name] {
		return false
	}
	l.busy[name] = true
	return true
}

func (l *Line) release(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.busy, name)
}

func (l *Line) stage(name string) stage {
	l.mu.Lock()
	defer l.mu.Unlock()
	if j, ok := l.jobs[name]; ok {
		return j.stage
	}
	return waiting
}

func (l *Line) setStage(name string, s stage) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if j, ok := l.jobs[name]; ok {
		j.stage = s
	}
}

// Build builds it if it waits.
func (l *Line) Build(name string, build func() error) error {
	if !l.claim(name) {
		return nil
	}
	defer l.release(name)
	if l.stage(name) != waiting {
		return nil
	}
	if err := build(); err != nil {
		return err
	}
	l.setStage(name, built)
	return nil
}

// Test tests it if it is built.
func (l *Line) Test(name string, test func() error) error {
	if !l.claim(name) {
		return nil
	}
	defer l.release(name)
	if l.stage(name) == built && test() == nil {
		l.setStage(name, tested)
	}
	return nil
}
