package debugadapter

import (
	"bufio"
	"io"
	"sync"
)

type Adapter struct {
	rw     io.ReadWriteCloser
	onLine func(string)

	mu    sync.Mutex
	done  chan struct{}
	lines int
}

func Attach(rw io.ReadWriteCloser, onLine func(string)) *Adapter {
	a := &Adapter{rw: rw, onLine: onLine, done: make(chan struct{})}
	go a.read()
	return a
}

func (a *Adapter) read() {
	sc := bufio.NewScanner(a.rw)
	for sc.Scan() {
		a.mu.Lock()
		a.lines++
		a.mu.Unlock()
		a.onLine(sc.Text())
	}
	a.shutdown()
}

func (a *Adapter) shutdown() {
	if a.done != nil {
		close(a.done)
		a.done = nil
	}
}

func (a *Adapter) Done() <-chan struct{} {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.done
}

func (a *Adapter) Lines() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.lines
}

func (a *Adapter) Disconnect() error {
	a.shutdown()
	return a.rw.Close()
}
