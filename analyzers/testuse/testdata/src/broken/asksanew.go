package broken

import (
	"context"
	"sync/atomic"
)

// Quay has one pilot, whom whoever comes first calls.
type Quay struct {
	call  func(ctx context.Context) (*pilot, error)
	pilot atomic.Pointer[pilot]
}

type pilot struct{ name string }

func (h *Quay) Call(ctx context.Context) (*pilot, error) {
	p, err := h.call(ctx)
	if err != nil {
		return nil, err
	}
	h.pilot.Store(p)
	return p, nil
}

func (h *Quay) Pilot(ctx context.Context) (*pilot, error) {
	if p := h.pilot.Load(); p != nil { // want `two goroutines can both pass the test of h.pilot and both set it`
		return p, nil
	}
	return h.Call(ctx)
}

// Again does not call another one either, if there is one.
func (h *Quay) Again(ctx context.Context) {
	if h.pilot.Load() == nil { // want `two goroutines can both pass the test of h.pilot and both set it`
		h.Call(ctx)
	}
}

func (h *Quay) Leave() { h.pilot.Store(nil) }
