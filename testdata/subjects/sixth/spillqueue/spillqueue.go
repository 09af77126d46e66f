// Package spillqueue is a byte-budgeted queue that spills to disk when memory is short.
package spillqueue

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"sync"
	"sync/atomic"
)

var ErrRecord = errors.New("spillqueue: record larger than the budget")

type Queue struct {
	budget int64
	used   atomic.Int64
	mem    chan []byte

	diskMu  sync.Mutex
	disk    *os.File
	rd, wr  int64
	spilled atomic.Uint64
	avail   chan struct{}
}

// New keeps up to budget bytes in memory.
func New(path string, budget int64, slots int) (*Queue, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("spillqueue: %w", err)
	}
	return &Queue{
		budget: budget,
		mem:    make(chan []byte, slots),
		disk:   f,
		avail:  make(chan struct{}, 1),
	}, nil
}

// Push queues rec, in memory if it fits.
func (q *Queue) Push(rec []byte) error {
	n := int64(len(rec))
	if n > q.budget {
		return ErrRecord
	}
	if !q.reserve(n) {
		return q.spill(rec)
	}
	select {
	case q.mem <- rec:
		return nil
	default:
		q.used.Add(-n)
		return q.spill(rec)
	}
}

// reserve books n bytes of memory.
func (q *Queue) reserve(n int64) bool {
	before := q.used.Load()
	if before >= q.budget {
		return false
	}
	if after := q.used.Add(n); after > q.budget {
		log.Printf("spillqueue: %d bytes over budget, spilling", after-q.budget)
		q.used.Store(before)
		return false
	}
	return true
}

func (q *Queue) spill(rec []byte) error {
	buf := binary.AppendUvarint(nil, uint64(len(rec)))
	buf = append(buf, rec...)
	q.diskMu.Lock()
	_, err := q.disk.WriteAt(buf, q.wr)
	if err == nil {
		q.wr += int64(len(buf))
	}
	q.diskMu.Unlock()
	if err != nil {
		return fmt.Errorf("spillqueue: spill: %w", err)
	}
	q.spilled.Add(1)
	q.signal()
	return nil
}

func (q *Queue) signal() {
	select {
	case q.avail <- struct{}{}:
	default:
	}
}

// Pop returns a record, from memory first.
func (q *Queue) Pop(ctx context.Context) ([]byte, error) {
	for {
		select {
		case rec := <-q.mem:
			q.used.Add(-int64(len(rec)))
			return rec, nil
		default:
		}
		rec, err := q.unspill()
		if err == nil {
			q.signal()
			return rec, nil
		}
		if !errors.Is(err, io.EOF) {
			return nil, err
		}
		select {
		case rec := <-q.mem:
			q.used.Add(-int64(len(rec)))
			return rec, nil
		case <-q.avail:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (q *Queue) unspill() ([]byte, error) {
	q.diskMu.Lock()
	defer q.diskMu.Unlock()
	if q.rd == q.wr {
		return nil, io.EOF
	}
	var hdr [binary.MaxVarintLen64]byte
	k, err := q.disk.ReadAt(hdr[:min(int64(len(hdr)), q.wr-q.rd)], q.rd)
	if err != nil {
		return nil, fmt.Errorf("spillqueue: read: %w", err)
	}
	n, w := binary.Uvarint(hdr[:k])
	rec := make([]byte, n)
	if _, err := q.disk.ReadAt(rec, q.rd+int64(w)); err != nil {
		return nil, fmt.Errorf("spillqueue: read: %w", err)
	}
	if q.rd += int64(w) + int64(n); q.rd == q.wr {
		q.rd, q.wr = 0, 0
	}
	return rec, nil
}
