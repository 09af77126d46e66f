// Package tbclosed has lamps that are closed for good.
package tbclosed

import "sync"

type color int

const (
	dark color = iota
	red
	green
)

type lamp struct {
	color  color
	closed bool
	shown  int
}

// Panel has lamps; close takes one out of service under the lock.
type Panel struct {
	mu    sync.Mutex
	lamps map[string]*lamp
	show  func(string, color)
}

// New makes a panel.
func New(show func(string, color), names ...string) *Panel {
	p := &Panel{lamps: map[string]*lamp{}, show: show}
	for _, n := range names {
		p.lamps[n] = &lamp{}
	}
	return p
}

func (p *Panel) colorOf(name string) color {
	p.mu.Lock()
	defer p.mu.Unlock()
	if l := p.lamps[name]; l != nil {
		return l.color
	}
	return dark
}

// setColor sets it from what it was, or not at all.
func (p *Panel) setColor(name string, from, to color) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	l, ok := p.lamps[name]
	if !ok || l.closed || l.color == to || l.color != from {
		return false
	}
	l.color = to
	l.shown++
	return true
}

// Next goes on to the next color.
func (p *Panel) Next(name string) {
	switch c := p.colorOf(name); c {
	case dark:
		if p.setColor(name, c, red) {
			p.show(name, red)
		}
	case red:
		if p.setColor(name, c, green) {
			p.show(name, green)
		}
	}
}

// Close ends a lamp.
func (p *Panel) Close(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if l := p.lamps[name]; l != nil {
		l.closed = true
		l.color = dark
	}
}
