package broken

import "sync/atomic"

// A changed copy takes the place of the table: what another has put into it is lost.

type signpost struct {
	place string
	miles int
}

type signTable struct{ posts []signpost }

type Signs struct{ table atomic.Pointer[signTable] }

func (s *Signs) Put(place string, miles int) {
	old := s.table.Load() // want `both read s.table before either stores it, and one update is lost`
	next := &signTable{}
	for _, p := range old.posts {
		if p.place != place {
			next.posts = append(next.posts, p)
		}
	}
	next.posts = append(next.posts, signpost{place, miles})
	s.table.Store(next)
}

func (s *Signs) Miles(place string) int {
	for _, p := range s.table.Load().posts {
		if p.place == place {
			return p.miles
		}
	}
	return -1
}
