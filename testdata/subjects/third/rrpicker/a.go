package rrpicker

import (
	"errors"
	"net/url"
	"sync/atomic"
)

var ErrNoBackend = errors.New("no healthy backend")

type Backend struct {
	URL  *url.URL
	down atomic.Bool
}

func (b *Backend) MarkDown(down bool) { b.down.Store(down) }

type Picker struct {
	backends []*Backend
	cursor   atomic.Uint32
}

func NewPicker(addrs ...string) (*Picker, error) {
	p := &Picker{}
	for _, a := range addrs {
		u, err := url.Parse(a)
		if err != nil {
			return nil, err
		}
		p.backends = append(p.backends, &Backend{URL: u})
	}
	if len(p.backends) == 0 {
		return nil, ErrNoBackend
	}
	return p, nil
}

func (p *Picker) Next() (*Backend, error) {
	n := uint32(len(p.backends))
	for tries := uint32(0); tries < n; {
		cur := p.cursor.Load()
		next := (cur + 1) % n
		if !p.cursor.CompareAndSwap(cur, next) {
			continue
		}
		if b := p.backends[cur]; !b.down.Load() {
			return b, nil
		}
		tries++
	}
	return nil, ErrNoBackend
}
