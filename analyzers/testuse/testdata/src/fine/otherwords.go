package fine

import (
	"errors"
	"sync"
	"sync/atomic"
)

// Kiosk says in other words what is right.
type Kiosk struct {
	mu      sync.Mutex
	papers  map[string]*paper
	version int
	shutter chan struct{}
	state   atomic.Int32
}

type paper struct{ n int }

const (
	kioskShut int32 = iota
	kioskOpening
	kioskOpen
	kioskDead
)

var errKiosk = errors.New("not shut")

func NewKiosk() *Kiosk { return &Kiosk{papers: map[string]*paper{}, shutter: make(chan struct{})} }

// Renew looks again, and names what it finds.
func (k *Kiosk) Renew(change func(int) int) {
	for {
		k.mu.Lock()
		seen := k.version
		k.mu.Unlock()
		next := change(seen)
		k.mu.Lock()
		same := !(seen != k.version)
		if same {
			k.version = next
			k.mu.Unlock()
			return
		}
		k.mu.Unlock()
	}
}

// Paper looks again, by another name of its receiver.
func (k *Kiosk) Paper(name string) *paper {
	kiosk := k
	kiosk.mu.Lock()
	p := kiosk.papers[name]
	kiosk.mu.Unlock()
	if nil != p {
		return p
	}
	made := &paper{}
	k.mu.Lock()
	defer k.mu.Unlock()
	if there := k.papers[name]; nil != there {
		return there
	}
	k.papers[name] = made
	return made
}

// Replace closes the shutter that it has taken out, which is nobody else's any more.
func (k *Kiosk) Replace() {
	k.mu.Lock()
	old := k.shutter
	k.shutter = make(chan struct{})
	k.mu.Unlock()
	close(old)
}

// Open is the only one who leaves the state that it has taken, in a function of its own.
func (k *Kiosk) Open(open func() error) error {
	if !k.state.CompareAndSwap(kioskShut, kioskOpening) {
		return errKiosk
	}
	if err := open(); nil != err {
		k.spoil()
		return err
	}
	k.state.Store(kioskOpen)
	return nil
}

func (k *Kiosk) spoil() { k.state.Store(kioskDead) }

// Desks have a number each, under which they are found.
type Desks struct {
	mu     sync.RWMutex
	byName map[int]*desk
	last   int
}

type desk struct {
	mu     sync.Mutex
	of     *Desks
	number int
	papers []string
}

// Sit moves the desk to another number, which is no end of it.
func (d *Desks) Sit(number int, text string) {
	d.mu.RLock()
	x := d.byName[number]
	d.mu.RUnlock()
	if x == nil {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.papers = append(x.papers, text)
	if len(x.papers) > 8 {
		x.move()
	}
}

func (x *desk) move() {
	d := x.of
	d.mu.Lock()
	defer d.mu.Unlock()
	was := x.number
	if d.byName[was] != x {
		return
	}
	delete(d.byName, was)
	d.last++
	d.byName[d.last] = x
	x.number = d.last
}
