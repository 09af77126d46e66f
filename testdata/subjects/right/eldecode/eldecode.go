// Package eldecode reads a snapshot of accounts, and counts under a lock of its own.
package eldecode

import (
	"encoding/json"
	"io"
	"sync"
)

type account struct {
	Name string
	Hits int64
}

// Accounts are found under mu, and counted under hits.
type Accounts struct {
	mu     sync.Mutex
	byName map[string]*account

	hits  sync.Mutex
	total int64
}

// New makes none.
func New() *Accounts { return &Accounts{byName: map[string]*account{}} }

// Merge adds the accounts that are not there yet; they start with no hits.
func (a *Accounts) Merge(r io.Reader) error {
	var list []*account
	if err := json.NewDecoder(r).Decode(&list); err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, x := range list {
		if _, ok := a.byName[x.Name]; !ok {
			x.Hits = 0 // nobody else has it yet
			a.byName[x.Name] = x
		}
	}
	return nil
}

// Hit counts.
func (a *Accounts) Hit(name string) {
	a.mu.Lock()
	x := a.byName[name]
	a.mu.Unlock()
	if x == nil {
		return
	}
	a.hits.Lock()
	defer a.hits.Unlock()
	x.Hits++
	a.total++
}

// Hits is how many there were.
func (a *Accounts) Hits(name string) int64 {
	a.mu.Lock()
	x := a.byName[name]
	a.mu.Unlock()
	if x == nil {
		return 0
	}
	a.hits.Lock()
	defer a.hits.Unlock()
	return x.Hits
}
