package broken

import (
	"context"
	"errors"
	"net"
)

// Channels of capacity one that are locks: a value is put in to take it, and taken out to
// give it back, or the other way round.

func dialLine(addr string) (net.Conn, error) { return net.Dial("tcp", addr) }

type TrunkGroup struct {
	slot  chan struct{}
	lines map[string]net.Conn
	next  int
	names []string
}

func NewTrunkGroup() *TrunkGroup {
	return &TrunkGroup{slot: make(chan struct{}, 1), lines: map[string]net.Conn{}}
}

func (g *TrunkGroup) enter() { g.slot <- struct{}{} }
func (g *TrunkGroup) leave() { <-g.slot }

func (g *TrunkGroup) enterWith(ctx context.Context) error {
	select {
	case g.slot <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g *TrunkGroup) tryEnter() bool {
	select {
	case g.slot <- struct{}{}:
		return true
	default:
		return false
	}
}

func (g *TrunkGroup) Line(addr string) (net.Conn, error) {
	g.enter()
	if l, ok := g.lines[addr]; ok { // want `two goroutines can both pass the test of g.lines\[addr\] and both set it: g.slot is released in between`
		g.leave()
		return l, nil
	}
	g.leave()
	l, err := dialLine(addr)
	if err != nil {
		return nil, err
	}
	g.enter()
	g.lines[addr] = l
	g.leave()
	return l, nil
}

func (g *TrunkGroup) LineWith(ctx context.Context, addr string) (net.Conn, error) {
	if err := g.enterWith(ctx); err != nil {
		return nil, err
	}
	l, ok := g.lines[addr] // want `two goroutines can both pass the test of g.lines\[addr\] and both set it: g.slot is released in between`
	g.leave()
	if ok {
		return l, nil
	}
	l, err := dialLine(addr)
	if err != nil {
		return nil, err
	}
	err = g.enterWith(ctx)
	if err != nil {
		return nil, err
	}
	defer g.leave()
	g.lines[addr] = l
	return l, nil
}

func (g *TrunkGroup) TryLine(addr string) (net.Conn, error) {
	if !g.tryEnter() {
		return nil, errors.New("busy")
	}
	l, ok := g.lines[addr] // want `two goroutines can both pass the test of g.lines\[addr\] and both set it: g.slot is released in between`
	g.leave()
	if ok {
		return l, nil
	}
	l, err := dialLine(addr)
	if err != nil {
		return nil, err
	}
	if ok := g.tryEnter(); !ok {
		return nil, errors.New("busy")
	}
	g.lines[addr] = l
	g.leave()
	return l, nil
}

func (g *TrunkGroup) Forget(addr string) {
	g.enter()
	defer g.leave()
	delete(g.lines, addr)
}
