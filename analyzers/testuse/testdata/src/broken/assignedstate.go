package broken

import "sync"

// A stateWire is a connection that has to be ended.
type stateWire interface {
	Talk(string)
	Destroy()
}

type pumpWire struct{ n int }

func (p *pumpWire) Close() error { return nil }

// StateWires has those in use.
type StateWires struct {
	all   *sync.Map
	pumps sync.Map
	open  func(string) (stateWire, error)
	pump  func(string) *pumpWire
}

func (w *StateWires) Wire(to *string) stateWire {
	key := *to + "/"
	x, ok := w.all.Load(key) // want `two goroutines can both pass the test of w.all\[key\] and both set it: Load and Store are two operations`
	if !ok {
		var err error
		x, err = w.open(key)
		if err != nil {
			panic(err)
		}
		w.all.Store(key, x)
	}
	return x.(stateWire)
}

func (w *StateWires) Pump(to string) *pumpWire {
	x, ok := w.pumps.Load(to) // want `two goroutines can both pass the test of w.pumps\[to\] and both set it: Load and Store are two operations`
	if ok {
		return x.(*pumpWire)
	}
	x = w.pump(to)
	w.pumps.Store(to, x)
	return x.(*pumpWire)
}
