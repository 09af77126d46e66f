package spoolread

import (
	"context"
	"time"
)

type Record struct {
	Key  string
	Body []byte
}

type Sink interface {
	WriteBatch(ctx context.Context, recs []Record) error
}

type Reader struct {
	pending chan Record
	sink    Sink
	onErr   func(error)
}

func NewReader(ctx context.Context, sink Sink, onErr func(error)) *Reader {
	r := &Reader{pending: make(chan Record, 512), sink: sink, onErr: onErr}
	go r.loop(ctx)
	return r
}

func (r *Reader) Offer(rec Record) bool {
	select {
	case r.pending <- rec:
		return true
	default:
		return false
	}
}

func (r *Reader) loop(ctx context.Context) {
	t := time.NewTicker(100 * time.Millisecond)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		var batch []Record
		for len(r.pending) > 0 && len(batch) < 100 {
			batch = append(batch, <-r.pending)
		}
		if len(batch) == 0 {
			continue
		}
		if err := r.sink.WriteBatch(ctx, batch); err != nil {
			r.onErr(err)
		}
	}
}
