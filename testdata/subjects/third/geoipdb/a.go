package geoipdb

import (
	"encoding/csv"
	"fmt"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
)

type span struct {
	prefix  netip.Prefix
	country string
}

type table struct{ spans []span }

type Resolver struct {
	file string
	mu   sync.Mutex
	tab  atomic.Pointer[table]
}

func New(file string) *Resolver { return &Resolver{file: file} }

func (r *Resolver) db() (*table, error) {
	if t := r.tab.Load(); t != nil {
		return t, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if t := r.tab.Load(); t != nil {
		return t, nil
	}
	t, err := parse(r.file)
	if err != nil {
		return nil, err
	}
	r.tab.Store(t)
	return t, nil
}

func parse(file string) (*table, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	t := &table{}
	for i, row := range rows {
		p, err := netip.ParsePrefix(row[0])
		if err != nil || len(row) < 2 {
			return nil, fmt.Errorf("%s:%d: bad row", file, i+1)
		}
		t.spans = append(t.spans, span{p, row[1]})
	}
	return t, nil
}

func (r *Resolver) Country(ip netip.Addr) (string, error) {
	t, err := r.db()
	if err != nil {
		return "", err
	}
	for _, s := range t.spans {
		if s.prefix.Contains(ip) {
			return s.country, nil
		}
	}
	return "", nil
}
