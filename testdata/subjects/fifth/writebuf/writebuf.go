// Package writebuf is the in-memory table of a storage engine; full tables go to segments.
package writebuf

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
)

var ErrDegraded = errors.New("writebuf: a flush has failed")

type Pair struct {
	Key   string
	Value []byte
}

// SegmentWriter stores sorted pairs. It rejects a segment without pairs.
type SegmentWriter interface {
	WriteSegment(seq uint64, pairs []Pair) error
}

type table map[string][]byte

func (t table) sorted() []Pair {
	out := make([]Pair, 0, len(t))
	for k, v := range t {
		out = append(out, Pair{k, v})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Key < out[j].Key })
	return out
}

type Buffer struct {
	segs     SegmentWriter
	limit    int64
	size     atomic.Int64
	degraded atomic.Bool

	tm      sync.RWMutex
	live    table
	frozen  map[uint64]table
	nextSeq uint64
}

func New(segs SegmentWriter, limit int64) *Buffer {
	return &Buffer{segs: segs, limit: limit, live: table{}, frozen: map[uint64]table{}}
}

func (b *Buffer) Get(key string) ([]byte, bool) {
	b.tm.RLock()
	defer b.tm.RUnlock()
	if v, ok := b.live[key]; ok {
		return v, true
	}
	for _, seq := range slices.Backward(slices.Sorted(maps.Keys(b.frozen))) {
		if v, ok := b.frozen[seq][key]; ok {
			return v, true
		}
	}
	return nil, false
}

// Put stores a pair and flushes the table when it has grown too big.
func (b *Buffer) Put(key string, value []byte) error {
	if b.degraded.Load() {
		return ErrDegraded
	}
	b.insert(key, value)
	if b.size.Load() < b.limit {
		return nil
	}
	seq, full := b.freeze()
	if err := b.segs.WriteSegment(seq, full.sorted()); err != nil {
		b.degraded.Store(true)
		return fmt.Errorf("segment %d: %w", seq, err)
	}
	b.tm.Lock()
	delete(b.frozen, seq)
	b.tm.Unlock()
	return nil
}

func (b *Buffer) insert(key string, value []byte) {
	b.tm.Lock()
	defer b.tm.Unlock()
	old, had := b.live[key]
	b.live[key] = value
	grown := len(value) - len(old)
	if !had {
		grown += len(key)
	}
	b.size.Add(int64(grown))
}

func (b *Buffer) freeze() (uint64, table) {
	b.tm.Lock()
	defer b.tm.Unlock()
	seq, full := b.nextSeq, b.live
	b.nextSeq++
	b.frozen[seq] = full
	b.live = table{}
	b.size.Store(0)
	return seq, full
}
