// Package symcache interns strings as small numbers, for the columns of a table.
package symcache

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
)

var (
	ErrFull   = errors.New("symcache: too many symbols")
	ErrSymbol = errors.New("symcache: no such symbol")
)

type Symbol uint32

// Table maps strings to symbols and back. Symbols are dense and are never given up.
type Table struct {
	log io.Writer // each new symbol is written as a line, in order

	sync.RWMutex
	ids   map[string]Symbol
	names []string
	bytes int
}

func New(log io.Writer) *Table {
	return &Table{log: log, ids: make(map[string]Symbol)}
}

// Restore refills a new table from what was logged.
func Restore(lines []string, log io.Writer) (*Table, error) {
	t := New(log)
	for i, l := range lines {
		if _, dup := t.ids[l]; dup {
			return nil, fmt.Errorf("symcache: line %d: %q comes twice", i+1, l)
		}
		t.put(l)
	}
	return t, nil
}

func (t *Table) get(s string) (Symbol, bool) {
	t.RLock()
	defer t.RUnlock()
	id, ok := t.ids[s]
	return id, ok
}

func (t *Table) put(s string) Symbol {
	id := Symbol(len(t.names))
	t.ids[s] = id
	t.names = append(t.names, s)
	t.bytes += len(s)
	return id
}

// Intern returns the symbol of s, after making one if there is none.
func (t *Table) Intern(s string) (Symbol, error) {
	if id, ok := t.get(s); ok {
		return id, nil
	}
	if strings.ContainsRune(s, '\n') {
		return 0, fmt.Errorf("symcache: %q has a line break", s)
	}
	s = strings.Clone(s)
	return t.add(s)
}

func (t *Table) add(s string) (Symbol, error) {
	t.Lock()
	defer t.Unlock()
	if id, ok := t.ids[s]; ok {
		return id, nil
	}
	if len(t.names) == math.MaxUint32 {
		return 0, ErrFull
	}
	if _, err := io.WriteString(t.log, s+"\n"); err != nil {
		return 0, fmt.Errorf("symcache: log: %w", err)
	}
	return t.put(s), nil
}

// InternAll interns a row.
func (t *Table) InternAll(row []string) ([]Symbol, error) {
	out := make([]Symbol, len(row))
	for i, s := range row {
		id, err := t.Intern(s)
		if err != nil {
			return nil, err
		}
		out[i] = id
	}
	return out, nil
}

func (t *Table) Name(id Symbol) (string, error) {
	t.RLock()
	defer t.RUnlock()
	if int(id) >= len(t.names) {
		return "", ErrSymbol
	}
	return t.names[id], nil
}

func (t *Table) Stats() (symbols, bytes int) {
	t.RLock()
	defer t.RUnlock()
	return len(t.names), t.bytes
}
