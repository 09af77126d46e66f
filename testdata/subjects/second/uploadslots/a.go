package uploadslots

import (
	"errors"
	"io"
	"sync/atomic"
)

var ErrTooMany = errors.New("uploadslots: too many uploads")

type Gate struct {
	open int64
	max  int64
	deny int64
}

func NewGate(max int) *Gate { return &Gate{max: int64(max)} }

func (g *Gate) Enter() error {
	n := atomic.AddInt64(&g.open, 1)
	if n > g.max {
		atomic.AddInt64(&g.open, -1)
		atomic.AddInt64(&g.deny, 1)
		return ErrTooMany
	}
	return nil
}

func (g *Gate) Leave() { atomic.AddInt64(&g.open, -1) }

type Uploader struct {
	gate *Gate
	sink func(name string) (io.WriteCloser, error)
}

func NewUploader(g *Gate, sink func(string) (io.WriteCloser, error)) *Uploader {
	return &Uploader{gate: g, sink: sink}
}

func (u *Uploader) Upload(name string, r io.Reader) (n int64, err error) {
	if err = u.gate.Enter(); err != nil {
		return 0, err
	}
	defer u.gate.Leave()
	w, err := u.sink(name)
	if err != nil {
		return 0, err
	}
	defer func() {
		if cerr := w.Close(); err == nil {
			err = cerr
		}
	}()
	return io.Copy(w, r)
}
