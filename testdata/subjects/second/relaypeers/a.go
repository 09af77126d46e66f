package relaypeers

import (
	"io"
	"sync"
)

type Link struct {
	peer string
	rw   io.ReadWriteCloser
}

type Relay struct {
	links sync.Map
}

func (r *Relay) Attach(peer string, rw io.ReadWriteCloser) *Link {
	l := &Link{peer: peer, rw: rw}
	if prev, loaded := r.links.Swap(peer, l); loaded {
		prev.(*Link).rw.Close()
	}
	go func() {
		buf := make([]byte, 1500)
		for {
			n, err := rw.Read(buf)
			if err != nil {
				break
			}
			r.Forward(peer, buf[:n])
		}
		r.Detach(l)
	}()
	return l
}

func (r *Relay) Detach(l *Link) {
	defer l.rw.Close()
	cur, ok := r.links.Load(l.peer)
	if !ok {
		return
	}
	if cur.(*Link) == l {
		r.links.Delete(l.peer)
	}
}

func (r *Relay) Forward(from string, pkt []byte) {
	r.links.Range(func(k, v any) bool {
		if k.(string) != from {
			_, _ = v.(*Link).rw.Write(pkt)
		}
		return true
	})
}
