package fine

import (
	"io"
	"sync"

	"proc"
)

// Nobody else is there any more when what Close was given is called.

type Tubs struct {
	proc proc.Proc
	mu   sync.Mutex
	tubs map[string]io.Closer
}

func (t *Tubs) Add(name string, c io.Closer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tubs[name] = c
}

func (t *Tubs) Remove(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.tubs, name)
}

func (t *Tubs) Get(name string) io.Closer {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.tubs[name]
}

func (t *Tubs) Close() error {
	return t.proc.Close(func() error {
		for _, c := range t.tubs {
			c.Close()
		}
		return nil
	})
}
