package geoipdb

import (
	"bufio"
	"fmt"
	"io"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
)

type index struct {
	prefixes map[netip.Prefix]string
}

type DB struct {
	open func() (io.ReadCloser, error)

	mu  sync.Mutex
	idx atomic.Pointer[index]
}

func New(open func() (io.ReadCloser, error)) *DB { return &DB{open: open} }

func (db *DB) index() (*index, error) {
	if ix := db.idx.Load(); ix != nil {
		return ix, nil
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	if ix := db.idx.Load(); ix != nil {
		return ix, nil
	}
	r, err := db.open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	ix := &index{prefixes: map[netip.Prefix]string{}}
	for sc := bufio.NewScanner(r); sc.Scan(); {
		cidr, cc, _ := strings.Cut(sc.Text(), ",")
		p, err := netip.ParsePrefix(cidr)
		if err != nil {
			return nil, fmt.Errorf("geoip: %w", err)
		}
		ix.prefixes[p] = cc
	}
	db.idx.Store(ix)
	return ix, nil
}

func (db *DB) Country(a netip.Addr) (string, error) {
	ix, err := db.index()
	if err != nil {
		return "", err
	}
	for b := a.BitLen(); b >= 0; b-- {
		if p, err := a.Prefix(b); err == nil && ix.prefixes[p] != "" {
			return ix.prefixes[p], nil
		}
	}
	return "", nil
}
