// Package blobgc keeps temporary blobs on disk for as long as somebody uses them.
package blobgc

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
)

var ErrNoBlob = errors.New("blobgc: no such blob")

type blob struct {
	sum  string
	size int64
	file *os.File
	refs atomic.Int32
}

type Store struct {
	dir string
	log *slog.Logger

	mu    sync.Mutex
	blobs map[string]*blob

	live, freed atomic.Int64
}

func NewStore(dir string, log *slog.Logger) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("blobgc: %w", err)
	}
	return &Store{dir: dir, log: log, blobs: make(map[string]*blob)}, nil
}

// Handle is one user's claim on a blob.
type Handle struct {
	st   *Store
	b    *blob
	done atomic.Bool
}

func (h *Handle) Sum() string { return h.b.sum }
func (h *Handle) Size() int64 { return h.b.size }

func (h *Handle) ReadAt(p []byte, off int64) (int, error) { return h.b.file.ReadAt(p, off) }

// Put stores data and returns a handle to it.
func (s *Store) Put(data []byte) (*Handle, error) {
	d := sha256.Sum256(data)
	sum := hex.EncodeToString(d[:])
	s.mu.Lock()
	defer s.mu.Unlock()
	if b, ok := s.blobs[sum]; ok {
		b.refs.Add(1)
		return &Handle{st: s, b: b}, nil
	}
	f, err := os.Create(filepath.Join(s.dir, sum))
	if err != nil {
		return nil, fmt.Errorf("blobgc: put: %w", err)
	}
	if _, err := f.Write(data); err != nil {
		f.Close()
		os.Remove(f.Name())
		return nil, fmt.Errorf("blobgc: put: %w", err)
	}
	b := &blob{sum: sum, size: int64(len(data)), file: f}
	b.refs.Store(1)
	s.blobs[sum] = b
	s.live.Add(b.size)
	return &Handle{st: s, b: b}, nil
}

// Open returns a further handle to the blob named sum.
func (s *Store) Open(sum string) (*Handle, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := s.blobs[sum]
	if !ok {
		return nil, fmt.Errorf("%w: %s", ErrNoBlob, sum)
	}
	b.refs.Add(1)
	return &Handle{st: s, b: b}, nil
}

// Reader reads the whole blob and releases the handle at the end.
func (h *Handle) Reader() io.ReadCloser {
	return struct {
		io.Reader
		io.Closer
	}{io.NewSectionReader(h, 0, h.b.size), closerFunc(h.Release)}
}

type closerFunc func() error

func (f closerFunc) Close() error { return f() }

// Release gives the claim up; the last one deletes the file.
func (h *Handle) Release() error {
	if !h.done.CompareAndSwap(false, true) {
		return nil
	}
	if n := h.b.refs.Add(-1); n > 0 {
		return nil
	} else if n < 0 {
		panic("blobgc: negative count for " + h.b.sum)
	}
	return h.st.drop(h.b)
}

func (s *Store) drop(b *blob) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.blobs, b.sum)
	s.live.Add(-b.size)
	s.freed.Add(b.size)
	s.log.Debug("blob freed", "sum", b.sum, "bytes", b.size)
	return errors.Join(b.file.Close(), os.Remove(b.file.Name()))
}

// Usage reports the bytes in use and those freed so far.
func (s *Store) Usage() (live, freed int64) { return s.live.Load(), s.freed.Load() }
