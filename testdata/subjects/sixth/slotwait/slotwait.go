// Package slotwait places tasks on the nodes of a small cluster scheduler.
package slotwait

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

type Status int

const (
	Ready Status = iota
	Cordoned
	Draining
)

var (
	ErrNoNode   = errors.New("slotwait: no such node")
	ErrDraining = errors.New("slotwait: node is draining")
	ErrTask     = errors.New("slotwait: no such task")
)

type node struct {
	status Status
	slots  int
	tasks  map[string]time.Time
}

type Agent struct {
	lock    sync.Mutex
	nodes   map[string]*node
	changed chan struct{}
}

func NewAgent() *Agent {
	return &Agent{nodes: make(map[string]*node), changed: make(chan struct{})}
}

// announce wakes those who wait for a change; a.lock is held.
func (a *Agent) announce() {
	close(a.changed)
	a.changed = make(chan struct{})
}

// awaitLocked waits for a change without the lock and returns with it.
func (a *Agent) awaitLocked(ctx context.Context) error {
	ch := a.changed
	a.lock.Unlock()
	defer a.lock.Lock()
	select {
	case <-ch:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (a *Agent) Join(name string, slots int) {
	a.lock.Lock()
	defer a.lock.Unlock()
	a.nodes[name] = &node{slots: slots, tasks: make(map[string]time.Time)}
	a.announce()
}

func (a *Agent) SetStatus(name string, st Status) error {
	a.lock.Lock()
	defer a.lock.Unlock()
	n, ok := a.nodes[name]
	if !ok {
		return ErrNoNode
	}
	n.status = st
	a.announce()
	return nil
}

// Leave removes a node and returns the tasks that must go elsewhere.
func (a *Agent) Leave(name string) []string {
	a.lock.Lock()
	defer a.lock.Unlock()
	n, ok := a.nodes[name]
	if !ok {
		return nil
	}
	delete(a.nodes, name)
	orphans := make([]string, 0, len(n.tasks))
	for t := range n.tasks {
		orphans = append(orphans, t)
	}
	a.announce()
	return orphans
}

// Place puts a task on a node, waiting for a free slot.
func (a *Agent) Place(ctx context.Context, name, task string) error {
	a.lock.Lock()
	defer a.lock.Unlock()
	for {
		n, ok := a.nodes[name]
		if !ok {
			return fmt.Errorf("%s: %w", name, ErrNoNode)
		}
		if n.status == Draining {
			return fmt.Errorf("%s: %w", name, ErrDraining)
		}
		if n.status == Ready && len(n.tasks) < n.slots {
			n.tasks[task] = time.Now()
			return nil
		}
		if err := a.awaitLocked(ctx); err != nil {
			return fmt.Errorf("placing %s on %s: %w", task, name, err)
		}
	}
}

// Done frees the slot of a task.
func (a *Agent) Done(name, task string) error {
	a.lock.Lock()
	defer a.lock.Unlock()
	n, ok := a.nodes[name]
	if !ok {
		return ErrNoNode
	}
	if _, ok := n.tasks[task]; !ok {
		return ErrTask
	}
	delete(n.tasks, task)
	a.announce()
	return nil
}
