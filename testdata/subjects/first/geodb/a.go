package geodb

import (
	"encoding/csv"
	"fmt"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
)

type database struct {
	prefixes map[netip.Prefix]string
}

type Reader struct {
	path string
	mu   sync.Mutex
	db   atomic.Pointer[database]
}

func NewReader(path string) *Reader { return &Reader{path: path} }

func (r *Reader) get() (*database, error) {
	if db := r.db.Load(); db != nil {
		return db, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	db := r.db.Load()
	if db == nil {
		var err error
		if db, err = parse(r.path); err != nil {
			return nil, fmt.Errorf("geodb: %w", err)
		}
		r.db.Store(db)
	}
	return db, nil
}

func parse(path string) (*database, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	recs, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	db := &database{prefixes: make(map[netip.Prefix]string, len(recs))}
	for _, rec := range recs {
		p, err := netip.ParsePrefix(rec[0])
		if err != nil {
			return nil, err
		}
		db.prefixes[p] = rec[1]
	}
	return db, nil
}

func (r *Reader) Country(a netip.Addr) (string, error) {
	db, err := r.get()
	if err != nil {
		return "", err
	}
	for p, cc := range db.prefixes {
		if p.Contains(a) {
			return cc, nil
		}
	}
	return "", nil
}
