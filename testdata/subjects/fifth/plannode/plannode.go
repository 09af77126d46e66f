// Package plannode runs the steps of a build in the order of their dependencies.
package plannode

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
)

type Action func(ctx context.Context) error

type node struct {
	name    string
	action  Action
	users   []*node
	pending atomic.Int32
}

func (n *node) satisfy()    { n.pending.Add(-1) }
func (n *node) ready() bool { return n.pending.Load() == 0 }

// Plan is built by one goroutine and then run once.
type Plan struct {
	nodes map[string]*node
}

func NewPlan() *Plan { return &Plan{nodes: make(map[string]*node)} }

// Step adds a step; what it needs must have been added before.
func (p *Plan) Step(name string, action Action, needs ...string) error {
	if _, dup := p.nodes[name]; dup {
		return fmt.Errorf("plan: step %q given twice", name)
	}
	n := &node{name: name, action: action}
	for _, dep := range needs {
		d, ok := p.nodes[dep]
		if !ok {
			return fmt.Errorf("plan: %s needs unknown step %q", name, dep)
		}
		d.users = append(d.users, n)
		n.pending.Add(1)
	}
	p.nodes[name] = n
	return nil
}

type runner struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	queue  chan *node
	left   sync.WaitGroup
}

// Run executes the plan with the given number of workers.
func (p *Plan) Run(parent context.Context, workers int) error {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	r := &runner{ctx: ctx, cancel: cancel, queue: make(chan *node, len(p.nodes))}
	r.left.Add(len(p.nodes))
	var first []*node
	for _, n := range p.nodes {
		if n.ready() {
			first = append(first, n)
		}
	}
	for _, n := range first {
		r.queue <- n
	}
	for range workers {
		go r.work()
	}
	r.left.Wait()
	close(r.queue)
	if err := context.Cause(ctx); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return parent.Err()
}

func (r *runner) work() {
	for n := range r.queue {
		if r.ctx.Err() == nil {
			if err := n.action(r.ctx); err != nil {
				r.cancel(fmt.Errorf("step %s: %w", n.name, err))
			}
		}
		r.finish(n)
	}
}

// finish releases the steps that waited for n only.
func (r *runner) finish(n *node) {
	for _, u := range n.users {
		u.satisfy()
		if u.ready() {
			r.queue <- u
		}
	}
	r.left.Done()
}
