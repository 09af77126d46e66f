package traceagent

import (
	"context"
	"sync"
	"time"
)

type Agent struct {
	in   chan string
	done chan struct{}
	once sync.Once
	send func(ctx context.Context, batch []string) error
	errs chan error
}

func NewAgent(send func(context.Context, []string) error) *Agent {
	a := &Agent{
		in:   make(chan string, 128),
		done: make(chan struct{}),
		send: send,
		errs: make(chan error, 1),
	}
	go a.run()
	return a
}

func (a *Agent) run() {
	var batch []string
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for {
		select {
		case s := <-a.in:
			batch = append(batch, s)
		case <-t.C:
			if err := a.send(context.Background(), batch); err != nil {
				select {
				case a.errs <- err:
				default:
				}
				a.Close()
			}
			batch = nil
		case <-a.done:
			return
		}
	}
}

func (a *Agent) Close() {
	select {
	case <-a.done:
		return
	default:
	}
	a.once.Do(func() { close(a.done) })
}

func (a *Agent) Record(span string) {
	select {
	case a.in <- span:
	case <-a.done:
	}
}
