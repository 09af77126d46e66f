package sfurouter

import (
	"errors"
	"io"
	"sync"
)

type Track struct {
	ID    int
	Codec string
	out   io.Writer
}

type Router struct {
	mu     *sync.Mutex
	tracks map[int]*Track
	closed bool
}

var errClosed = errors.New("sfurouter: closed")

func NewRouter(shared *sync.Mutex) *Router {
	return &Router{mu: shared, tracks: make(map[int]*Track)}
}

func (r *Router) AddTrack(codec string, negotiate func(id int) (io.Writer, error)) (*Track, error) {
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return nil, errClosed
	}
	id := len(r.tracks)
	r.mu.Unlock()

	out, err := negotiate(id)
	if err != nil {
		return nil, err
	}
	t := &Track{ID: id, Codec: codec, out: out}

	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, errClosed
	}
	r.tracks[id] = t
	return t, nil
}

func (r *Router) Forward(pkt []byte) (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, t := range r.tracks {
		if _, err := t.out.Write(pkt); err == nil {
			n++
		}
	}
	return n
}

func (r *Router) Close() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
}
