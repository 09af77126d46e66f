package broken

import (
	"errors"
	"sync"
)

type antenna struct{ height int }

func raiseAntenna(n int) (*antenna, error) {
	if n == 0 {
		return nil, errors.New("no bands")
	}
	return &antenna{n}, nil
}

// Receiver has its bands changed at any time.
type Receiver struct {
	Bands []int

	mu      sync.Mutex
	antenna *antenna
}

func (r *Receiver) Init() error {
	r.mu.Lock()
	if r.antenna != nil {
		r.mu.Unlock()
		return errors.New("initialised already")
	}
	r.mu.Unlock()
	if len(r.Bands) == 0 { // want `r.Bands is read here after r.mu was released, which all functions hold that write it, as \(\*Receiver\).Tune does`
		return errors.New("no bands")
	}
	a, err := raiseAntenna(len(r.Bands))
	if err != nil {
		return err
	}
	r.mu.Lock()
	r.antenna = a
	r.mu.Unlock()
	return nil
}

func (r *Receiver) Tune(bands []int) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Bands = append([]int(nil), bands...)
	return nil
}

func (r *Receiver) First() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.Bands[0]
}
