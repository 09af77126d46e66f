package watermark

import (
	"context"
	"fmt"
	"sync/atomic"
)

type Record struct {
	Offset int64
	Key    []byte
	Value  []byte
}

type Partition struct {
	id        int
	committed atomic.Int64
	process   func(context.Context, Record) error
}

func NewPartition(id int, start int64, fn func(context.Context, Record) error) *Partition {
	p := &Partition{id: id, process: fn}
	p.committed.Store(start)
	return p
}

func (p *Partition) Consume(ctx context.Context, in <-chan Record, par int) <-chan error {
	errs := make(chan error, par)
	for i := 0; i < par; i++ {
		go func() {
			for rec := range in {
				if err := p.process(ctx, rec); err != nil {
					errs <- fmt.Errorf("partition %d offset %d: %w", p.id, rec.Offset, err)
					return
				}
				p.Commit(rec.Offset)
			}
			errs <- nil
		}()
	}
	return errs
}

func (p *Partition) Commit(off int64) {
	if off > p.committed.Load() {
		p.committed.Store(off)
	}
}

func (p *Partition) Committed() int64 { return p.committed.Load() }
