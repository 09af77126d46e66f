package mailaliases

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
)

type Aliases struct {
	mu  sync.RWMutex
	to  map[string][]string
	gen int
}

func NewAliases() *Aliases {
	return &Aliases{to: make(map[string][]string)}
}

func (a *Aliases) Add(from, to string) error {
	if !strings.Contains(to, "@") {
		return fmt.Errorf("alias %s: bad target %q", from, to)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if !slices.Contains(a.to[from], to) {
		a.to[from] = append(a.to[from], to)
		a.gen++
	}
	return nil
}

func (a *Aliases) Remove(from string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.to, from)
	a.gen++
}

func (a *Aliases) Export(w io.Writer) error {
	a.mu.RLock()
	m := maps.Clone(a.to)
	for k, v := range m {
		m[k] = slices.Clone(v)
	}
	gen := a.gen
	a.mu.RUnlock()

	if _, err := fmt.Fprintf(w, "# generation %d\n", gen); err != nil {
		return err
	}
	for _, from := range slices.Sorted(maps.Keys(m)) {
		slices.Sort(m[from])
		if _, err := fmt.Fprintf(w, "%s: %s\n", from, strings.Join(m[from], ", ")); err != nil {
			return err
		}
	}
	return nil
}
