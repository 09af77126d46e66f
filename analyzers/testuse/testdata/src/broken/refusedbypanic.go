package broken

import (
	"fmt"
	"log"
	"sync"
)

// Idiom is a way to say something.
type Idiom struct {
	text string
}

var (
	idioms   sync.Map // text -> *Idiom
	dialects sync.Map // name -> speakers
	accents  = struct {
		sync.RWMutex
		all map[string]*Idiom
	}{all: map[string]*Idiom{}}
)

// NewIdiom makes an idiom, of which there is one of a text.
func NewIdiom(text string) *Idiom {
	i := &Idiom{text: text}
	if _, ok := idioms.Load(text); ok { // want `two goroutines can both pass the test of idioms\[text\] and both set it`
		panic("idiom known already: " + text)
	}
	idioms.Store(text, i)
	return i
}

// LookUpIdiom finds one.
func LookUpIdiom(text string) (*Idiom, error) {
	if i, ok := idioms.Load(text); ok {
		return i.(*Idiom), nil
	}
	return nil, fmt.Errorf("no idiom %q", text)
}

// AddDialect adds a dialect, which must be a new one.
func AddDialect(name string, speakers int) {
	if prev, _ := dialects.Load(name); prev != nil { // want `two goroutines can both pass the test of dialects\[name\] and both set it`
		log.Fatalf("%s is spoken by %d", name, prev)
	}
	dialects.Store(name, speakers)
}

// AddAccent takes the lock twice.
func AddAccent(name string) {
	accents.RLock()
	_, ok := accents.all[name] // want `two goroutines can both pass the test of accents.all\[name\] and both set it`
	accents.RUnlock()
	if ok {
		panic("accent known already: " + name)
	}
	accents.Lock()
	accents.all[name] = &Idiom{text: name}
	accents.Unlock()
}
