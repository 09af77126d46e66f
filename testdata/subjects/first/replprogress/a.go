package replprogress

import (
	"context"
	"log"
	"sync"
)

type Record struct {
	LSN  uint64
	Body []byte
}

type Applier interface {
	Apply(Record) error
}

type Replica struct {
	src chan Record
	dst Applier

	mu      sync.Mutex
	applied uint64
	waiters map[uint64][]chan struct{}
}

func NewReplica(ctx context.Context, dst Applier) *Replica {
	r := &Replica{src: make(chan Record, 64), dst: dst, waiters: make(map[uint64][]chan struct{})}
	go r.loop(ctx)
	return r
}

func (r *Replica) loop(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case rec := <-r.src:
			if rec.LSN <= r.applied {
				continue
			}
			if err := r.dst.Apply(rec); err != nil {
				log.Printf("replica: lsn %d: %v", rec.LSN, err)
				return
			}
			r.mu.Lock()
			r.applied = rec.LSN
			for lsn, chs := range r.waiters {
				if lsn <= rec.LSN {
					for _, ch := range chs {
						close(ch)
					}
					delete(r.waiters, lsn)
				}
			}
			r.mu.Unlock()
		}
	}
}

func (r *Replica) WaitFor(lsn uint64) <-chan struct{} {
	ch := make(chan struct{})
	r.mu.Lock()
	defer r.mu.Unlock()
	if lsn <= r.applied {
		close(ch)
		return ch
	}
	r.waiters[lsn] = append(r.waiters[lsn], ch)
	return ch
}

func (r *Replica) Feed(rec Record) { r.src <- rec }
