package broken

import (
	"errors"
	"net"
	"sync"
)

// FerryBoat carries who comes until it is closed.
type FerryBoat struct {
	mu    sync.Mutex
	pier  net.Listener
	done  bool
	carry func(net.Conn)
}

func NewFerry(carry func(net.Conn)) *FerryBoat { return &FerryBoat{carry: carry} }

func (f *FerryBoat) Serve(pier net.Listener) error {
	f.pier = pier // want `f.pier is stored here without f.mu, with which \(\*FerryBoat\).Close looks at it`
	return ferryBoatAll(f)
}

func ferryBoatAll(f *FerryBoat) error {
	for {
		c, err := f.pier.Accept()
		if err != nil {
			f.mu.Lock()
			done := f.done
			f.mu.Unlock()
			if done {
				return nil
			}
			return err
		}
		go f.carry(c)
	}
}

func (f *FerryBoat) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.pier == nil {
		return errors.New("no pier")
	}
	f.done = true
	return f.pier.Close()
}
