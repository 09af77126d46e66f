// Package silence has directives on the right and on the wrong lines.
package silence

import "sync/atomic"

type Stats struct {
	hits atomic.Int64
}

func (s *Stats) Above() {
	//atomrace:ignore atomic-load-and-store the figure is only shown to people
	s.hits.Store(s.hits.Load() + 1)
}

func (s *Stats) Beside() {
	s.hits.Store(s.hits.Load() + 1) //atomrace:ignore atomic-load-and-store the figure is only shown to people
	s.hits.Store(s.hits.Load() + 1) // want `one update is lost`
}

func (s *Stats) Two() {
	//atomrace:ignore atomic-load-and-store the figure is only shown to people
	//atomrace:ignore unlock-relock and no lock is needed
	s.hits.Store(s.hits.Load() + 1)
}

func (s *Stats) TooFar() {
	//atomrace:ignore atomic-load-and-store the figure is only shown to people

	s.hits.Store(s.hits.Load() + 1) // want `one update is lost`
}

func (s *Stats) OtherCheck() {
	//atomrace:ignore unlock-relock the figure is only shown to people
	s.hits.Store(s.hits.Load() + 1) // want `one update is lost`
}

func (s *Stats) NoReason() {
	//atomrace:ignore atomic-load-and-store
	s.hits.Store(s.hits.Load() + 1) // want `one update is lost`
}
