package routetable

import (
	"fmt"
	"io"
	"net/netip"
	"sync"
)

type Route struct {
	Prefix  netip.Prefix
	NextHop netip.Addr
	Metric  int
}

type Table struct {
	mu     sync.Mutex
	routes map[netip.Prefix]Route
	serial uint32
}

func NewTable(static ...Route) *Table {
	t := &Table{routes: make(map[netip.Prefix]Route, len(static))}
	for _, r := range static {
		t.routes[r.Prefix] = r
	}
	return t
}

func (t *Table) Set(r Route) error {
	if !r.Prefix.IsValid() || !r.NextHop.IsValid() {
		return fmt.Errorf("invalid route %v via %v", r.Prefix, r.NextHop)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.routes[r.Prefix] = r
	t.serial++
	return nil
}

func (t *Table) Withdraw(p netip.Prefix) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.routes[p]; !ok {
		return false
	}
	delete(t.routes, p)
	t.serial++
	return true
}

func (t *Table) Announce(w io.Writer) error {
	t.mu.Lock()
	routes, serial := t.routes, t.serial
	t.mu.Unlock()

	if _, err := fmt.Fprintf(w, "serial %d\n", serial); err != nil {
		return err
	}
	for _, r := range routes {
		if _, err := fmt.Fprintf(w, "%v via %v metric %d\n", r.Prefix, r.NextHop, r.Metric); err != nil {
			return err
		}
	}
	return nil
}
