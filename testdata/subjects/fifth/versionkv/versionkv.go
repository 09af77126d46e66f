// Package versionkv is a small store with optimistic transactions.
package versionkv

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"sync"
)

var ErrConflict = errors.New("versionkv: conflict")

type row struct {
	value   []byte
	version uint64
}

// WAL makes a batch durable before it is applied.
type WAL interface {
	Append(ctx context.Context, batch []byte) error
}

type Store struct {
	wal  WAL
	lock sync.RWMutex
	rows map[string]row
}

func New(wal WAL) *Store { return &Store{wal: wal, rows: make(map[string]row)} }

// Tx collects reads and writes. A Tx belongs to one goroutine.
type Tx struct {
	store  *Store
	reads  map[string]uint64
	writes map[string][]byte
}

func (s *Store) Begin() *Tx {
	return &Tx{store: s, reads: make(map[string]uint64), writes: make(map[string][]byte)}
}

func (tx *Tx) Get(key string) ([]byte, bool) {
	if v, ok := tx.writes[key]; ok {
		return v, true
	}
	tx.store.lock.RLock()
	defer tx.store.lock.RUnlock()
	r, ok := tx.store.rows[key]
	if _, seen := tx.reads[key]; !seen {
		tx.reads[key] = r.version
	}
	return r.value, ok
}

func (tx *Tx) Put(key string, value []byte) { tx.writes[key] = bytes.Clone(value) }

// Commit applies the transaction if nothing that it read has changed since.
func (tx *Tx) Commit(ctx context.Context) error {
	if len(tx.writes) == 0 {
		return nil
	}
	s := tx.store

	s.lock.RLock()
	for key, version := range tx.reads {
		if cur := s.rows[key].version; cur != version {
			s.lock.RUnlock()
			return fmt.Errorf("%w: %s is at %d, read at %d", ErrConflict, key, cur, version)
		}
	}
	s.lock.RUnlock()

	batch, err := encode(tx.writes)
	if err != nil {
		return err
	}
	if err := s.wal.Append(ctx, batch); err != nil {
		return fmt.Errorf("wal: %w", err)
	}

	s.lock.Lock()
	defer s.lock.Unlock()
	for key, value := range tx.writes {
		s.rows[key] = row{value: value, version: s.rows[key].version + 1}
	}
	return nil
}

func encode(writes map[string][]byte) ([]byte, error) {
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(writes); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

// Update runs fn in transactions until one commits.
func (s *Store) Update(ctx context.Context, fn func(*Tx) error) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		tx := s.Begin()
		if err := fn(tx); err != nil {
			return err
		}
		if err := tx.Commit(ctx); !errors.Is(err, ErrConflict) {
			return err
		}
	}
}
