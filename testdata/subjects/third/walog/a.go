package walog

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"sync"
)

type Log struct {
	mu   sync.Mutex
	out  io.Writer
	next uint64
	size int64
}

func NewLog(out io.Writer, first uint64) *Log {
	return &Log{out: out, next: first}
}

func encode(index uint64, payload []byte) []byte {
	var b bytes.Buffer
	var hdr [16]byte
	binary.LittleEndian.PutUint64(hdr[:], index)
	binary.LittleEndian.PutUint32(hdr[8:], uint32(len(payload)))
	binary.LittleEndian.PutUint32(hdr[12:], crc32.ChecksumIEEE(payload))
	b.Write(hdr[:])
	b.Write(payload)
	return b.Bytes()
}

func (l *Log) Append(payload []byte) (uint64, error) {
	l.mu.Lock()
	index := l.next
	l.mu.Unlock()

	rec := encode(index, payload)

	l.mu.Lock()
	defer l.mu.Unlock()
	n, err := l.out.Write(rec)
	l.size += int64(n)
	if err != nil {
		return 0, fmt.Errorf("wal: append %d: %w", index, err)
	}
	l.next = index + 1
	return index, nil
}

func (l *Log) Size() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.size
}
