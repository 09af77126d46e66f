package memtable

import (
	"sync"
	"sync/atomic"
)

type table struct {
	kv   map[string][]byte
	size int64
}

func newTable() *table { return &table{kv: make(map[string][]byte)} }

type DB struct {
	limit  int64
	approx atomic.Int64
	flushc chan *table

	mu  sync.Mutex
	cur *table
}

func Open(limit int64, flush func(map[string][]byte) error) *DB {
	db := &DB{limit: limit, cur: newTable(), flushc: make(chan *table, 4)}
	go func() {
		for t := range db.flushc {
			if err := flush(t.kv); err != nil {
				panic(err)
			}
		}
	}()
	return db
}

func (db *DB) Put(k string, v []byte) {
	db.mu.Lock()
	db.cur.kv[k] = v
	db.cur.size += int64(len(k) + len(v))
	db.approx.Store(db.cur.size)
	db.mu.Unlock()
	db.maybeRotate()
}

func (db *DB) maybeRotate() {
	if db.approx.Load() < db.limit {
		return
	}
	if !db.mu.TryLock() {
		return
	}
	defer db.mu.Unlock()
	if db.cur.size < db.limit {
		return
	}
	db.flushc <- db.cur
	db.cur = newTable()
	db.approx.Store(0)
}

func (db *DB) Get(k string) ([]byte, bool) {
	db.mu.Lock()
	defer db.mu.Unlock()
	v, ok := db.cur.kv[k]
	return v, ok
}
