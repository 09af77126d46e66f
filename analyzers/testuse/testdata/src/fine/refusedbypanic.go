package fine

import (
	"sync"
)

// Herb is one of those that grow in a garden.
type Herb struct {
	name string
}

var (
	herbs  sync.Map // name -> *Herb
	beds   sync.Map // name -> number
	bySort sync.Map // name -> *Herb
)

// NewHerb asks LoadOrStore which of two was the first.
func NewHerb(name string) *Herb {
	h := &Herb{name: name}
	if _, ok := herbs.Load(name); ok {
		panic("two of them: " + name)
	}
	if _, ok := herbs.LoadOrStore(name, h); ok {
		panic("two of them: " + name)
	}
	return h
}

// MustHaveBed panics where there is none: to mark it again does no harm.
func MustHaveBed(name string) {
	if _, ok := beds.Load(name); !ok {
		panic("no bed: " + name)
	}
	beds.Store(name, 1)
}

// AddBed adds a bed.
func AddBed(name string) {
	beds.Store(name, 0)
}

func init() {
	if _, ok := bySort.Load("mint"); ok {
		panic("mint is there")
	}
	bySort.Store("mint", &Herb{name: "mint"})
}

// SortOf finds one by its sort.
func SortOf(name string) *Herb {
	h, _ := bySort.Load(name)
	herb, _ := h.(*Herb)
	return herb
}

// RegisterSeed makes a seed known, once, when its package is initialized.
func RegisterSeed(name string, s *int) {
	if _, ok := seeds.Load(name); ok {
		panic("seed known already: " + name)
	}
	seeds.Store(name, s)
}

var seeds sync.Map // name -> *int
