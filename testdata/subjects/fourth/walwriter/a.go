package walwriter

import (
	"bytes"
	"encoding/binary"
	"io"
	"sync"
)

type WAL struct {
	mu    sync.Mutex
	io    sync.Mutex
	out   io.Writer
	buf   bytes.Buffer
	limit int
	next  uint64
}

func NewWAL(out io.Writer, limit int) *WAL {
	return &WAL{out: out, limit: limit, next: 1}
}

// Append adds one entry and returns its sequence number.
func (w *WAL) Append(entry []byte) (uint64, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	seq := w.next
	if w.buf.Len()+len(entry) > w.limit {
		if err := w.flushLocked(); err != nil {
			return 0, err
		}
	}
	var hdr [12]byte
	binary.BigEndian.PutUint64(hdr[:8], seq)
	binary.BigEndian.PutUint32(hdr[8:], uint32(len(entry)))
	w.buf.Write(hdr[:])
	w.buf.Write(entry)
	w.next = seq + 1
	return seq, nil
}

func (w *WAL) flushLocked() error {
	chunk := append([]byte(nil), w.buf.Bytes()...)
	w.buf.Reset()
	w.io.Lock()
	w.mu.Unlock()
	_, err := w.out.Write(chunk)
	w.io.Unlock()
	w.mu.Lock()
	return err
}

func (w *WAL) Sync() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.flushLocked()
}
