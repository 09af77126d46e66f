package jitterbuf

import (
	"io"
	"sync"
)

const slots = 512

type packet struct {
	seq uint16
	raw []byte
}

type Buffer struct {
	mu    sync.RWMutex
	ring  [slots]packet
	first uint16
	count int
}

func New() *Buffer { return &Buffer{} }

func (b *Buffer) Push(seq uint16, raw []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ring[seq%slots] = packet{seq, raw}
	switch {
	case b.count == 0:
		b.first, b.count = seq, 1
	case int(seq-b.first) >= slots:
		b.first, b.count = seq, 1
	case int(seq-b.first) >= b.count:
		b.count = int(seq-b.first) + 1
	}
}

func (b *Buffer) start() uint16 {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.first
}

func (b *Buffer) length() int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.count
}

func (b *Buffer) at(seq uint16) ([]byte, bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	p := b.ring[seq%slots]
	return p.raw, p.seq == seq && p.raw != nil
}

// WriteTo copies the present window to w.
func (b *Buffer) WriteTo(w io.Writer) (total int64, err error) {
	first := b.start()
	n := b.length()
	for i := 0; i < n; i++ {
		raw, ok := b.at(first + uint16(i))
		if !ok {
			continue
		}
		k, werr := w.Write(raw)
		total += int64(k)
		if werr != nil {
			return total, werr
		}
	}
	return total, nil
}
