package jobrunner

import (
	"log"
	"sync"
)

type State uint8

const (
	Pending State = iota
	Running
	Cancelled
	Done
)

type Job struct {
	sync.Mutex
	ID    string
	state State
	fn    func() error
}

func (j *Job) State() State {
	j.Lock()
	defer j.Unlock()
	return j.state
}

func (j *Job) setState(s State) {
	j.Lock()
	j.state = s
	j.Unlock()
}

func (j *Job) Cancel() bool {
	j.Lock()
	defer j.Unlock()
	if j.state != Pending {
		return false
	}
	j.state = Cancelled
	return true
}

type Runner struct {
	queue chan *Job
}

func NewRunner(workers int) *Runner {
	r := &Runner{queue: make(chan *Job, 64)}
	for i := 0; i < workers; i++ {
		go func() {
			for j := range r.queue {
				r.dispatch(j)
			}
		}()
	}
	return r
}

func (r *Runner) Submit(id string, fn func() error) *Job {
	j := &Job{ID: id, fn: fn}
	r.queue <- j
	return j
}

func (r *Runner) dispatch(j *Job) {
	if j.State() != Pending {
		return
	}
	j.setState(Running)
	if err := j.fn(); err != nil {
		log.Printf("job %s: %v", j.ID, err)
	}
	j.setState(Done)
}

func (r *Runner) Backlog() int { return len(r.queue) }
