package broken

import "sync"

type Sink interface {
	Level() int
	With(tags []string) Sink
	Put(x int)
}

// lateSink adds its tags when it is first used, but tells its level before.
type lateSink struct {
	Sink
	sync.Once
	tags []string
}

func NewLateSink(s Sink, tags []string) Sink { return &lateSink{Sink: s, tags: tags} }

func (d *lateSink) ready() {
	d.Once.Do(func() {
		d.Sink = d.Sink.With(d.tags) // want `d\.Sink is replaced here in a sync\.Once, and the method Level, which is that of the embedded Sink, reads it without`
	})
}

func (d *lateSink) With(tags []string) Sink {
	d.ready()
	return d.Sink.With(tags)
}

func (d *lateSink) Put(x int) {
	d.ready()
	d.Sink.Put(x)
}

// tardySink says so itself.
type tardySink struct {
	to   Sink
	once sync.Once
	tags []string
}

func NewTardySink(s Sink, tags []string) Sink { return &tardySink{to: s, tags: tags} }

func (d *tardySink) ready() { d.once.Do(func() { d.to = d.to.With(d.tags) }) }

func (d *tardySink) With(tags []string) Sink {
	d.ready()
	return d.to.With(tags)
}

func (d *tardySink) Put(x int) {
	d.ready()
	d.to.Put(x)
}

func (d *tardySink) Level() int {
	return d.to.Level() // want `d\.to is read here without \(\*tardySink\)\.ready, which the other methods call first and which replaces it in a sync\.Once`
}
