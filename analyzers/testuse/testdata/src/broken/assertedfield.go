package broken

import "sync"

// RingingBoard has plugs.
type RingingBoard interface{ Ring(line string) bool }

type plugboard struct {
	sync.RWMutex
	plugs map[string]*jackPlug
}

type jackPlug struct{ lamps []string }

func (b *plugboard) Ring(line string) bool {
	b.RLock()
	defer b.RUnlock()
	return b.plugs[line] != nil
}

func (b *plugboard) Known(line string) bool {
	_, ok := b.plugs[line]
	return ok
}

func (b *plugboard) Add(line string, p *jackPlug) {
	b.Lock()
	defer b.Unlock()
	b.plugs[line] = p
}

func (b *plugboard) remove(line string) {
	b.Lock()
	defer b.Unlock()
	delete(b.plugs, line)
}

// TelephoneOffice is used by many callers.
type TelephoneOffice struct {
	mu    sync.Mutex
	calls int
	board RingingBoard
}

// Connect puts a plug where there is none.
func (o *TelephoneOffice) Connect(line string, p *jackPlug) bool {
	o.mu.Lock()
	o.calls++
	o.mu.Unlock()
	b, ok := o.board.(*plugboard)
	if !ok {
		return false
	}
	if !b.Known(line) { // want `two goroutines can both pass the test of b.plugs \(in b.Known\) and both set it: b.RWMutex is taken only afterwards`
		b.Add(line, p)
	}
	return true
}

// Disconnect takes it away.
func (o *TelephoneOffice) Disconnect(line string) {
	if b, ok := o.board.(*plugboard); ok {
		b.remove(line)
	}
}
