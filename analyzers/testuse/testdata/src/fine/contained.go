package fine

import (
	"errors"
	"sync"

	"trees"
)

// Booths looks again, or in one hold.
type Booths struct {
	mu    sync.Mutex
	taken *trees.Map
}

func (d *Booths) Book(desk, by string) error {
	d.mu.Lock()
	_, taken := d.taken.Get(desk)
	d.mu.Unlock()
	if taken {
		return errors.New("taken")
	}
	if err := approve(by); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, taken := d.taken.Get(desk); taken {
		return errors.New("taken")
	}
	d.taken.Put(desk, by)
	return nil
}

func (d *Booths) BookAtOnce(desk, by string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, taken := d.taken.Get(desk); taken {
		return errors.New("taken")
	}
	d.taken.Put(desk, by)
	return nil
}

func approve(string) error { return nil }

// RemoteSeats has them with somebody else, whose matter it is.
type RemoteSeats struct {
	mu   sync.Mutex
	at   *trees.Client
	last string
}

func (r *RemoteSeats) Book(seat, by string) error {
	r.mu.Lock()
	v, err := r.at.Get(seat)
	r.mu.Unlock()
	if err != nil || v != nil {
		return errors.New("taken")
	}
	if err := approve(by); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.at.Put(seat, by)
}

// LockedSeats are in a container with a lock of its own: what is stored is made once by the same.
type LockedSeats struct{ at *trees.Locked }

func (l *LockedSeats) Name(seat string) any {
	if v, ok := l.at.Get(seat); ok {
		return v
	}
	l.at.Put(seat, seat)
	return seat
}
