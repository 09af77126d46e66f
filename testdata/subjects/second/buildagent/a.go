package buildagent

import (
	"bytes"
	"errors"
	"os/exec"
	"sync/atomic"
)

type phase = uint32

const (
	phaseLive phase = iota
	phaseDead
)

type Agent struct {
	phase  atomic.Uint32
	killed chan struct{}
	jobs   chan []string
}

func Spawn(workers int) *Agent {
	a := &Agent{killed: make(chan struct{}), jobs: make(chan []string)}
	for range workers {
		go a.worker()
	}
	return a
}

func (a *Agent) worker() {
	for {
		select {
		case <-a.killed:
			return
		case argv := <-a.jobs:
			var out bytes.Buffer
			cmd := exec.Command(argv[0], argv[1:]...)
			cmd.Stdout = &out
			_ = cmd.Run()
		}
	}
}

func (a *Agent) Submit(argv ...string) error {
	if len(argv) == 0 {
		return errors.New("buildagent: empty command")
	}
	select {
	case a.jobs <- argv:
		return nil
	case <-a.killed:
		return errors.New("buildagent: killed")
	}
}

func (a *Agent) Kill() bool {
	if a.phase.Load() == phaseDead {
		return false
	}
	if !a.phase.CompareAndSwap(phaseLive, phaseDead) {
		return false
	}
	close(a.killed)
	return true
}
