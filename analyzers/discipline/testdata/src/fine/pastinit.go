package fine

import "sync"

type Drain interface {
	Level() int
	With(tags []string) Drain
	Put(x int)
}

// lazyDrain has all methods ready it first.
type lazyDrain struct {
	Drain
	sync.Once
	tags []string
}

func NewLazyDrain(s Drain, tags []string) Drain { return &lazyDrain{Drain: s, tags: tags} }

func (d *lazyDrain) ready() { d.Once.Do(func() { d.Drain = d.Drain.With(d.tags) }) }

func (d *lazyDrain) With(tags []string) Drain {
	d.ready()
	return d.Drain.With(tags)
}

func (d *lazyDrain) Put(x int) {
	d.ready()
	d.Drain.Put(x)
}

func (d *lazyDrain) Level() int {
	d.ready()
	return d.Drain.Level()
}

// levelDrain keeps what tells the level apart from what it replaces.
type levelDrain struct {
	first, to Drain
	once      sync.Once
	tags      []string
}

func NewLevelDrain(s Drain, tags []string) Drain { return &levelDrain{first: s, to: s, tags: tags} }

func (d *levelDrain) ready() { d.once.Do(func() { d.to = d.to.With(d.tags) }) }

func (d *levelDrain) With(tags []string) Drain {
	d.ready()
	return d.to.With(tags)
}

func (d *levelDrain) Put(x int) {
	d.ready()
	d.to.Put(x)
}

func (d *levelDrain) Level() int { return d.first.Level() }
