// Package pagewriter appends checksummed records to a paged data file.
package pagewriter

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"sync"
)

const (
	pageSize   = 4096
	headerSize = 8
)

var (
	ErrTooLarge = errors.New("pagewriter: record too large")
	ErrCorrupt  = errors.New("pagewriter: bad checksum")
)

type storage interface {
	io.ReaderAt
	io.WriterAt
	Sync() error
	Close() error
}

// PageFile may be used by several goroutines; Close comes last.
type PageFile struct {
	st   storage
	path string

	metaMu  sync.RWMutex
	tail    int64
	records int
}

func Open(path string) (*PageFile, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	fi, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("pagewriter: stat: %w", err)
	}
	return &PageFile{st: f, path: path, tail: fi.Size()}, nil
}

func (p *PageFile) end() int64 {
	p.metaMu.RLock()
	defer p.metaMu.RUnlock()
	return p.tail
}

func (p *PageFile) setEnd(off int64) {
	p.metaMu.Lock()
	defer p.metaMu.Unlock()
	p.tail = off
	p.records++
}

// Records reports how many records were appended since Open.
func (p *PageFile) Records() int {
	p.metaMu.RLock()
	defer p.metaMu.RUnlock()
	return p.records
}

// Append stores rec and returns the offset to hand to Read.
func (p *PageFile) Append(rec []byte) (int64, error) {
	if len(rec) > pageSize-headerSize {
		return 0, ErrTooLarge
	}
	buf := make([]byte, headerSize+len(rec))
	binary.LittleEndian.PutUint32(buf[0:], uint32(len(rec)))
	binary.LittleEndian.PutUint32(buf[4:], crc32.ChecksumIEEE(rec))
	copy(buf[headerSize:], rec)

	off := p.end()
	// A record does not straddle pages.
	if room := pageSize - off%pageSize; int64(len(buf)) > room {
		off += room
	}
	if _, err := p.st.WriteAt(buf, off); err != nil {
		return 0, fmt.Errorf("pagewriter: %s: write at %d: %w", p.path, off, err)
	}
	p.setEnd(off + int64(len(buf)))
	return off, nil
}

// Read returns the record at off.
func (p *PageFile) Read(off int64) ([]byte, error) {
	if off < 0 || off >= p.end() {
		return nil, io.EOF
	}
	var hdr [headerSize]byte
	if _, err := p.st.ReadAt(hdr[:], off); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(hdr[0:])
	if n > pageSize-headerSize {
		return nil, ErrCorrupt
	}
	rec := make([]byte, n)
	if _, err := p.st.ReadAt(rec, off+headerSize); err != nil {
		return nil, err
	}
	if crc32.ChecksumIEEE(rec) != binary.LittleEndian.Uint32(hdr[4:]) {
		return nil, ErrCorrupt
	}
	return rec, nil
}

func (p *PageFile) Close() error {
	return errors.Join(p.st.Sync(), p.st.Close())
}
