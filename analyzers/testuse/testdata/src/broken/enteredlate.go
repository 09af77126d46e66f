package broken

import "sync"

// Footbridge lets a number of cars through at a time.
type Footbridge struct {
	cars  sync.WaitGroup
	lanes chan struct{}
}

func NewFootbridge(lanes int) *Footbridge {
	return &Footbridge{lanes: make(chan struct{}, lanes)}
}

func (t *Footbridge) Pass(toll func() error) error {
	t.cars.Add(1)
	defer t.cars.Done()
	t.lanes <- struct{}{}
	defer func() { <-t.lanes }()
	return toll()
}

func (t *Footbridge) Close() {
	t.cars.Wait() // want `t.cars.Wait\(\) waits for the calls that are in progress, and nothing keeps one from beginning after that: \(\*Footbridge\).Pass then sends on t.lanes, which is closed by then, and panics`
	close(t.lanes)
}
