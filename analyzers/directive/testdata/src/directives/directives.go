// Package directives silences findings rightly and wrongly.
package directives

import "sync/atomic"

type Stats struct {
	hits atomic.Int64
}

func (s *Stats) Right() {
	//atomrace:ignore atomic-load-and-store the figure is only shown to people
	s.hits.Store(s.hits.Load() + 1)
	s.hits.Store(s.hits.Load() + 1) //atomrace:ignore unlock-relock,atomic-load-and-store shown only // want `nothing to ignore: unlock-relock reports nothing here`
}

func (s *Stats) NoReason() {
	//atomrace:ignore atomic-load-and-store // want `atomrace:ignore atomic-load-and-store gives no reason`
	s.hits.Store(s.hits.Load() + 1)
}

func (s *Stats) Unknown() {
	//atomrace:ignore lost-update shown only // want `there is no check "lost-update"; 'atomrace help' lists them`
	s.hits.Store(s.hits.Load() + 1)
}

func (s *Stats) Nothing() {
	//atomrace:ignore // want `atomrace:ignore names no check`
	s.hits.Store(s.hits.Load() + 1)
}

func (s *Stats) Outlived() {
	//atomrace:ignore atomic-load-and-store shown only // want `nothing to ignore: atomic-load-and-store reports nothing here`
	s.hits.Add(1)
}

//atomrace:ignored is another word, and no directive.
