package termmux

import (
	"io"
	"os/exec"
)

type Pane struct {
	cmd  *exec.Cmd
	in   chan []byte
	done chan struct{}
}

func Spawn(name string, args ...string) (*Pane, error) {
	p := &Pane{
		cmd:  exec.Command(name, args...),
		in:   make(chan []byte),
		done: make(chan struct{}),
	}
	w, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go p.feed(w)
	go func() {
		_ = p.cmd.Wait()
		p.Close()
	}()
	return p, nil
}

func (p *Pane) feed(w io.WriteCloser) {
	defer w.Close()
	for {
		select {
		case b := <-p.in:
			if _, err := w.Write(b); err != nil {
				return
			}
		case <-p.done:
			return
		}
	}
}

func (p *Pane) Type(b []byte) bool {
	select {
	case p.in <- b:
		return true
	case <-p.done:
		return false
	}
}

func (p *Pane) Close() {
	select {
	case <-p.done:
		return
	default:
		close(p.done)
	}
}
