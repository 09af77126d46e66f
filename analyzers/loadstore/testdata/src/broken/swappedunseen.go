package broken

import "sync/atomic"

// Tariff is safe for concurrent use.
type Tariff struct {
	units atomic.Int64
	bill  func(n int64) error
}

func (t *Tariff) Use(n int64) { t.units.Add(n) }

// Bill forgets what was used while it billed: what Swap has found is thrown away.
func (t *Tariff) Bill() error {
	n := t.units.Load() // want `two goroutines can both read t.units before either stores it, and one update is lost: two atomic operations are not one`
	if err := t.bill(n); err != nil {
		return err
	}
	t.units.Swap(0)
	return nil
}

// Settle bills what it takes.
func (t *Tariff) Settle() error {
	n := t.units.Swap(0)
	return t.bill(n)
}
