package lsmtree

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

type DB struct {
	dir string
	max int

	mu     sync.Mutex
	mem    map[string]string
	size   int
	tables []string
	seq    int
}

func Open(dir string, max int) (*DB, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	return &DB{dir: dir, max: max, mem: map[string]string{}}, nil
}

func writeTable(path string, kv map[string]string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	for _, k := range slices.Sorted(maps.Keys(kv)) {
		if _, err := fmt.Fprintf(f, "%q %q\n", k, kv[k]); err != nil {
			f.Close()
			return err
		}
	}
	return f.Close()
}

func (db *DB) rotateLocked() error {
	frozen := maps.Clone(db.mem)
	db.seq++
	path := filepath.Join(db.dir, fmt.Sprintf("%06d.sst", db.seq))

	db.mu.Unlock()
	err := writeTable(path, frozen)
	db.mu.Lock()

	if err != nil {
		return fmt.Errorf("rotate: %w", err)
	}
	db.tables = append(db.tables, path)
	db.mem, db.size = map[string]string{}, 0
	return nil
}

func (db *DB) Put(k, v string) error {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.mem[k] = v
	if db.size += len(k) + len(v); db.size < db.max {
		return nil
	}
	return db.rotateLocked()
}
