package fine

// Basin has nobody who waits for its channel, and one owner.
type Basin struct {
	dry     bool
	drained chan struct{}
	cleared chan struct{}
}

// NewBasin returns a full one.
func NewBasin() *Basin { return &Basin{drained: make(chan struct{}), cleared: make(chan struct{})} }

// Stop is for the owner.
func (b *Basin) Stop() {
	if !b.dry {
		close(b.drained)
	}
	b.dry = true
}

// Close is for the owner.
func (b *Basin) Close() {
	if b.cleared == nil {
		return
	}
	close(b.cleared)
	b.cleared = nil
}
