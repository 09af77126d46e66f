package callees

import (
	"sync"
)

// A dialog is known by its name.
type dialog struct {
	base
	inbox chan string
	peer  string
}

type base struct {
	name string
	seq  int
}

func (b *base) Name() string { return b.name }

func newDialog(name, peer string) *dialog {
	d := new(dialog)
	d.name = name
	d.peer = peer
	d.inbox = make(chan string, 8)
	go d.run()
	return d
}

func (d *dialog) run() {
	for range d.inbox {
		d.seq++
	}
}

type dialogStore struct {
	mu      sync.RWMutex
	dialogs map[string]*dialog
}

func (s *dialogStore) get(name string) (*dialog, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	d, ok := s.dialogs[name]
	return d, ok
}

func (s *dialogStore) put(name string, d *dialog) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dialogs[name] = d
}

// Exchange has the dialogs.
type Exchange struct {
	store dialogStore
	OnNew func(peer string)
}

// Receive hands the message to its dialog, a new one if need be.
func (x *Exchange) Receive(name, peer, msg string) {
	d, ok := x.store.get(name) // want `two goroutines can both pass the test of x.store.dialogs \(in x.store.get\) and both set it: x.store.mu is held for reading first`
	if ok {
		d.inbox <- msg
		return
	}
	d = newDialog(name, peer)
	x.store.put(d.Name(), d)
	x.OnNew(peer)
}

// Deliver does the same by the field.
func (x *Exchange) Deliver(name, peer, msg string) {
	d, ok := x.store.get(name) // want `two goroutines can both pass the test of x.store.dialogs \(in x.store.get\) and both set it: x.store.mu is held for reading first`
	if !ok {
		d = newDialog(name, peer)
		x.store.put(d.name, d)
	}
	d.inbox <- msg
}

func openDialog(name, peer string) *dialog {
	d := &dialog{inbox: make(chan string), peer: peer}
	d.base.seq, d.name = 1, name
	go d.run()
	return d
}

// Exchanges has a map of its own.
type Exchanges struct {
	mu   sync.Mutex
	open map[string]*dialog
}

// Open opens the dialog that is not open.
func (x *Exchanges) Open(name, peer string) *dialog {
	x.mu.Lock()
	d := x.open[name] // want `two goroutines can both pass the test of x.open\[name\] and both set it: x.mu is released in between`
	x.mu.Unlock()
	if d != nil {
		return d
	}
	d = openDialog(name, peer)
	x.mu.Lock()
	x.open[d.Name()] = d
	x.mu.Unlock()
	return d
}

// Reopen looks again before it puts the dialog in.
func (x *Exchanges) Reopen(name, peer string) *dialog {
	x.mu.Lock()
	d := x.open[name]
	x.mu.Unlock()
	if d != nil {
		return d
	}
	d = openDialog(name, peer)
	x.mu.Lock()
	defer x.mu.Unlock()
	if other := x.open[d.Name()]; other != nil {
		close(d.inbox)
		return other
	}
	x.open[d.Name()] = d
	return d
}

// Copy opens another dialog like the one there is, which has its own name.
func (x *Exchanges) Copy(name, as string) {
	x.mu.Lock()
	d := x.open[name]
	x.mu.Unlock()
	if d == nil {
		return
	}
	d = openDialog(as, d.peer)
	x.mu.Lock()
	x.open[d.Name()] = d
	x.mu.Unlock()
}

func (x *Exchange) dialogOf(name string) (*dialog, bool) {
	d, ok := x.store.get(name)
	if !ok {
		return nil, false
	}
	return d, true
}

// Talk finds the dialog by a method that asks another one.
func (x *Exchange) Talk(name, peer, msg string) {
	d, ok := x.dialogOf(name) // want `two goroutines can both pass the test of x.store.dialogs \(in x.dialogOf\) and both set it: x.store.mu is held for reading first`
	if !ok {
		d = newDialog(name, peer)
		x.store.put(name, d)
	}
	d.inbox <- msg
}

// Transfer puts a dialog under another name than the one that it was found by.
func (x *Exchange) Transfer(name, to string) {
	d, ok := x.dialogOf(name)
	if !ok {
		return
	}
	x.store.put(to, newDialog(to, d.peer))
}
