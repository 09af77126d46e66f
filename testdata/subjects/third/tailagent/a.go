package tailagent

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"
)

type Output interface {
	Emit(source, line string)
}

type Agent struct {
	name string
	out  Output
	quit chan struct{}
	idle time.Duration
}

func Follow(name string, r io.Reader, out Output) *Agent {
	a := &Agent{
		name: name,
		out:  out,
		quit: make(chan struct{}),
		idle: 250 * time.Millisecond,
	}
	go a.run(bufio.NewReader(r))
	return a
}

func (a *Agent) run(r *bufio.Reader) {
	var partial string
	for {
		select {
		case <-a.quit:
			return
		default:
		}
		line, err := r.ReadString('\n')
		partial += line
		switch err {
		case nil:
			a.out.Emit(a.name, strings.TrimSuffix(partial, "\n"))
			partial = ""
		case io.EOF:
			select {
			case <-a.quit:
				return
			case <-time.After(a.idle):
			}
		default:
			a.out.Emit(a.name, fmt.Sprintf("read: %v", err))
			a.Stop()
			return
		}
	}
}

// Stop ends the agent. It may be called more than once.
func (a *Agent) Stop() {
	select {
	case <-a.quit:
	default:
		close(a.quit)
	}
}

func (a *Agent) Done() <-chan struct{} { return a.quit }
