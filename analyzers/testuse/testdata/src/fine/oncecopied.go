package fine

import "sync"

type line struct {
	name string
	end  sync.Once
	gone chan struct{}
}

// Exchange has pointers to its lines.
type Exchange struct {
	lines sync.Map
}

func (x *Exchange) Connect(name string) <-chan struct{} {
	l := &line{name: name, gone: make(chan struct{})}
	x.lines.Store(name, l)
	return l.gone
}

func (x *Exchange) HangUp(name string) {
	if v, ok := x.lines.Load(name); ok {
		l := v.(*line)
		l.end.Do(func() { close(l.gone) })
	}
}

// cord shares its Once, which it has a pointer to.
type cord struct {
	end  *sync.Once
	gone chan struct{}
}

func (c cord) Close() {
	c.end.Do(func() { close(c.gone) })
}

// Ring makes a line and ends it.
func Ring(names []string) {
	var l line
	l.gone = make(chan struct{})
	for range names {
		go func() { l.end.Do(func() { close(l.gone) }) }()
	}
	<-l.gone
}
