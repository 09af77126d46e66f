package pagedirty

import (
	"errors"
	"io"
	"sync"
	"sync/atomic"
)

var ErrRange = errors.New("pagedirty: out of range")

type Page struct {
	no      uint32
	touched atomic.Bool

	mu   sync.RWMutex
	data [4096]byte
}

func NewPage(no uint32) *Page { return &Page{no: no} }

func (p *Page) Write(off int, b []byte) error {
	if off < 0 || off+len(b) > len(p.data) {
		return ErrRange
	}
	if !p.touched.Load() {
		p.touched.Store(true)
	}
	p.mu.Lock()
	copy(p.data[off:], b)
	p.mu.Unlock()
	return nil
}

// Touched reports whether the page was ever written to.
func (p *Page) Touched() bool { return p.touched.Load() }

func (p *Page) WriteTo(w io.Writer) (int64, error) {
	p.mu.RLock()
	buf := p.data
	p.mu.RUnlock()
	n, err := w.Write(buf[:])
	return int64(n), err
}
