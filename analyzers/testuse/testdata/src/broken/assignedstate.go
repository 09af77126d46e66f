package broken

import "sync"

// A wire is a connection that has to be ended.
type wire interface {
	Talk(string)
	Destroy()
}

type pumpWire struct{ n int }

func (p *pumpWire) Close() error { return nil }

// Wires has those in use.
type Wires struct {
	all   *sync.Map
	pumps sync.Map
	open  func(string) (wire, error)
	pump  func(string) *pumpWire
}

func (w *Wires) Wire(to *string) wire {
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
	return x.(wire)
}

func (w *Wires) Pump(to string) *pumpWire {
	x, ok := w.pumps.Load(to) // want `two goroutines can both pass the test of w.pumps\[to\] and both set it: Load and Store are two operations`
	if ok {
		return x.(*pumpWire)
	}
	x = w.pump(to)
	w.pumps.Store(to, x)
	return x.(*pumpWire)
}
