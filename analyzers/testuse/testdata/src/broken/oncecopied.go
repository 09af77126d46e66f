package broken

import "sync"

// incoming is somebody who is connected.
type incoming struct {
	name string
	end  sync.Once
	gone chan struct{}
}

// Patchbay knows who is connected.
type Patchbay struct {
	callers sync.Map
}

func (b *Patchbay) Connect(name string) <-chan struct{} {
	c := incoming{name: name, gone: make(chan struct{})}
	b.callers.Store(name, c)
	return c.gone
}

func (b *Patchbay) HangUp(name string) {
	v, ok := b.callers.Load(name)
	if !ok {
		return
	}
	c, ok := v.(incoming)
	if !ok {
		return
	}
	c.end.Do(func() { close(c.gone) }) // want `c is a copy: its sync.Once does not know of those of other copies, which close c.gone as well`
}

func (b *Patchbay) HangUpAll() {
	b.callers.Range(func(_, v any) bool {
		c := v.(incoming)
		go func() {
			c.end.Do(func() { close(c.gone) }) // want `c is a copy: its sync.Once does not know of those of other copies, which close c.gone as well`
		}()
		return true
	})
}

func (c incoming) Close() {
	c.end.Do(func() { close(c.gone) }) // want `c is a copy: its sync.Once does not know of those of other copies, which close c.gone as well`
}
