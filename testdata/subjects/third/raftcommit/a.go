package raftcommit

import (
	"fmt"
	"sync/atomic"
)

type Ack struct {
	Peer  string
	Index uint64
}

// Progress holds how far a replica group has come. Advance is called by
// the reader of every peer connection.
type Progress struct {
	commit  uint64
	applied uint64
	notify  chan struct{}
}

func NewProgress(start uint64) *Progress {
	return &Progress{commit: start, applied: start, notify: make(chan struct{}, 1)}
}

func (p *Progress) Commit() uint64 { return atomic.LoadUint64(&p.commit) }

func (p *Progress) Advance(a Ack) error {
	if a.Index == 0 {
		return fmt.Errorf("peer %s: zero index", a.Peer)
	}
	if a.Index > atomic.LoadUint64(&p.commit) {
		atomic.StoreUint64(&p.commit, a.Index)
		select {
		case p.notify <- struct{}{}:
		default:
		}
	}
	return nil
}

func (p *Progress) Apply(stop <-chan struct{}, fn func(from, to uint64) error) error {
	for {
		select {
		case <-stop:
			return nil
		case <-p.notify:
		}
		from, to := atomic.LoadUint64(&p.applied), p.Commit()
		if err := fn(from+1, to); err != nil {
			return err
		}
		atomic.StoreUint64(&p.applied, to)
	}
}
