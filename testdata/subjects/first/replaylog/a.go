package replaylog

import (
	"errors"
	"sync"
)

var (
	ErrCompacted = errors.New("replaylog: index compacted")
	ErrFuture    = errors.New("replaylog: index not written yet")
)

type Entry struct {
	Term uint64
	Data []byte
}

type Snapshotter interface {
	Save(upTo uint64) error
}

type Log struct {
	mu      sync.RWMutex
	base    uint64
	entries []Entry
	snap    Snapshotter
}

func New(s Snapshotter) *Log { return &Log{snap: s} }

func (l *Log) Append(es ...Entry) uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, es...)
	return l.base + uint64(len(l.entries))
}

func (l *Log) dropFront(n uint64) {
	l.mu.Lock()
	l.entries = append([]Entry(nil), l.entries[n:]...)
	l.mu.Unlock()
}

func (l *Log) advance(n uint64) {
	l.mu.Lock()
	l.base += n
	l.mu.Unlock()
}

func (l *Log) Compact(n uint64) error {
	if err := l.snap.Save(n); err != nil {
		return err
	}
	l.dropFront(n)
	l.advance(n)
	return nil
}

func (l *Log) Entry(i uint64) (Entry, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if i < l.base {
		return Entry{}, ErrCompacted
	}
	if i-l.base >= uint64(len(l.entries)) {
		return Entry{}, ErrFuture
	}
	return l.entries[i-l.base], nil
}
