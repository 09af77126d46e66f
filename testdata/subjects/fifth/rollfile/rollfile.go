// Package rollfile is an append-only record log cut into segment files.
package rollfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"sync"
)

var ErrClosed = errors.New("rollfile: closed")

const headerLen = 16

type segment struct {
	file  *os.File
	first uint64
	bytes int64
}

func createSegment(dir string, first uint64) (*segment, error) {
	name := filepath.Join(dir, fmt.Sprintf("%020d.seg", first))
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	return &segment{file: f, first: first}, nil
}

func (s *segment) put(index uint64, rec []byte) error {
	var hdr [headerLen]byte
	binary.BigEndian.PutUint64(hdr[:8], index)
	binary.BigEndian.PutUint32(hdr[8:12], uint32(len(rec)))
	binary.BigEndian.PutUint32(hdr[12:], crc32.ChecksumIEEE(rec))
	n, err := s.file.Write(append(hdr[:], rec...))
	s.bytes += int64(n)
	return err
}

// Log hands out consecutive indexes, one a record.
type Log struct {
	dir      string
	maxBytes int64

	mtx    sync.Mutex
	active *segment
	next   uint64
	sealed []uint64
	closed bool
}

func Open(dir string, first uint64, maxBytes int64) (*Log, error) {
	seg, err := createSegment(dir, first)
	if err != nil {
		return nil, err
	}
	return &Log{dir: dir, maxBytes: maxBytes, active: seg, next: first}, nil
}

// Append stores rec and returns its index.
func (l *Log) Append(rec []byte) (uint64, error) {
	l.mtx.Lock()
	defer l.mtx.Unlock()
	if l.closed {
		return 0, ErrClosed
	}
	index := l.next
	if l.active.bytes+int64(len(rec))+headerLen > l.maxBytes && l.active.bytes > 0 {
		if err := l.sealLocked(); err != nil {
			return 0, fmt.Errorf("seal: %w", err)
		}
		if l.closed {
			return 0, ErrClosed
		}
	}
	if err := l.active.put(index, rec); err != nil {
		return 0, err
	}
	l.next = index + 1
	return index, nil
}

// sealLocked puts a fresh segment in place and makes the full one durable. Syncing a full segment
// takes long, so appenders go on meanwhile.
func (l *Log) sealLocked() error {
	fresh, err := createSegment(l.dir, l.next)
	if err != nil {
		return err
	}
	full := l.active
	l.active = fresh
	l.sealed = append(l.sealed, full.first)

	l.mtx.Unlock()
	err = errors.Join(full.file.Sync(), full.file.Close())
	l.mtx.Lock()
	return err
}

// Sealed lists the first index of each full segment.
func (l *Log) Sealed() []uint64 {
	l.mtx.Lock()
	defer l.mtx.Unlock()
	return append([]uint64(nil), l.sealed...)
}

func (l *Log) Close() error {
	l.mtx.Lock()
	defer l.mtx.Unlock()
	if l.closed {
		return nil
	}
	l.closed = true
	return errors.Join(l.active.file.Sync(), l.active.file.Close())
}
