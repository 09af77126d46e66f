package broken

import (
	"sync"
	"sync/atomic"
)

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

// A copy that a function fills takes the place of the original.

type menu struct{ dishes map[string]int }

func copyMenu(from, to *menu) {
	to.dishes = map[string]int{}
	for name, price := range from.dishes {
		to.dishes[name] = price
	}
}

type Kitchen struct {
	mu   sync.Mutex
	menu *menu
	fits func(*menu) error
}

func (k *Kitchen) Replace(m *menu) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.menu = m
}

func (k *Kitchen) Offer(dish string, price int) error {
	var next menu
	k.mu.Lock()
	copyMenu(k.menu, &next) // want `both read k.menu before either stores it, and one update is lost: k.mu is released in between`
	k.mu.Unlock()
	next.dishes[dish] = price
	if err := k.fits(&next); err != nil {
		return err
	}
	k.mu.Lock()
	k.menu = &next
	k.mu.Unlock()
	return nil
}
