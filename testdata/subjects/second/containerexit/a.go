package containerexit

import (
	"os/exec"
	"sync"
)

type Task struct {
	ID string

	mu     sync.Mutex
	cond   *sync.Cond
	exited bool
	code   int
}

func NewTask(id string) *Task {
	t := &Task{ID: id}
	t.cond = sync.NewCond(&t.mu)
	return t
}

func (t *Task) Start(cmd *exec.Cmd) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() {
		_ = cmd.Wait()
		t.finish(cmd.ProcessState.ExitCode())
	}()
	return nil
}

func (t *Task) finish(code int) {
	t.mu.Lock()
	t.code = code
	t.cond.Broadcast()
	t.mu.Unlock()

	t.mu.Lock()
	defer t.mu.Unlock()
	t.exited = true
}

func (t *Task) Wait() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	for !t.exited {
		t.cond.Wait()
	}
	return t.code
}

func (t *Task) Exited() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.exited
}
