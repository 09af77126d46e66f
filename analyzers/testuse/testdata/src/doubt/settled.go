package doubt

import (
	"errors"
	"sync"
)

var errFull = errors.New("full")

// Session ends once, with an error that is the last one.
type Session struct {
	mu  sync.Mutex
	err error

	queueMu sync.Mutex
	queue   []int
}

func (s *Session) Put(n int) {
	s.queueMu.Lock()
	if len(s.queue) > 8 { // want `both pass the test of s.queue .* \(doubtful: what it calls lets one goroutine alone come to the act\)`
		s.queueMu.Unlock()
		s.end(errFull)
		return
	}
	s.queue = append(s.queue, n)
	s.queueMu.Unlock()
}

func (s *Session) End() { s.end(nil) }

// end has work to do for the first that comes.
func (s *Session) end(err error) {
	s.mu.Lock()
	if s.err != nil {
		s.mu.Unlock()
		return
	}
	s.err = err
	s.mu.Unlock()

	s.queueMu.Lock()
	s.queue = nil
	s.queueMu.Unlock()
	draw()
}

// Link can be opened again, and then the next one gets as far as the queue.
type Link struct {
	mu   sync.Mutex
	down error

	queueMu sync.Mutex
	queue   []int
}

func (l *Link) Put(n int) {
	l.queueMu.Lock()
	if len(l.queue) > 8 { // want `both pass the test of l.queue and both set it: l.queueMu is released in between$`
		l.queueMu.Unlock()
		l.end(errFull)
		return
	}
	l.queue = append(l.queue, n)
	l.queueMu.Unlock()
}

func (l *Link) End() { l.end(nil) }

func (l *Link) end(err error) {
	l.mu.Lock()
	if l.down != nil {
		l.mu.Unlock()
		return
	}
	l.down = err
	l.mu.Unlock()

	l.queueMu.Lock()
	l.queue = nil
	l.queueMu.Unlock()
	draw()
}

func (l *Link) Reopen() {
	l.mu.Lock()
	l.down = nil
	l.mu.Unlock()
}

// Task is over once, whoever finds it.
type Task struct {
	mu     sync.Mutex
	status string
	over   bool
	done   chan int
}

// Cancel asks once more, in the critical section in which it says that it is over.
func (t *Task) Cancel() {
	t.mu.Lock()
	cancelled := t.status == "cancelled" // want `t.status .* \(doubtful: another variable was tested and set before\)`
	t.mu.Unlock()
	if !cancelled {
		draw()
		t.mu.Lock()
		if !t.over {
			t.status = "cancelled"
			t.over = true
			close(t.done)
		}
		t.mu.Unlock()
	}
}

func (t *Task) Finish() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.over {
		t.status = "finished"
		t.over = true
		close(t.done)
	}
}

// Job asks whether it is paused, which does not keep the second one out.
type Job struct {
	mu     sync.Mutex
	status string
	paused bool
	done   chan int
}

func (j *Job) Cancel() {
	j.mu.Lock()
	cancelled := j.status == "cancelled" // want `both pass the test of j.status and close j.done twice: j.mu is released in between$`
	j.mu.Unlock()
	if !cancelled {
		draw()
		j.mu.Lock()
		if !j.paused {
			j.status = "cancelled"
			close(j.done)
		}
		j.mu.Unlock()
	}
}

func (j *Job) Pause(now bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.paused = now
	j.status = "paused"
}
