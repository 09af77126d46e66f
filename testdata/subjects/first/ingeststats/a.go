package ingeststats

import (
	"context"
	"log"
	"sync/atomic"
	"time"
)

type Row struct {
	Table string
	Cols  []any
}

type Writer interface {
	WriteRow(context.Context, Row) error
}

type Ingester struct {
	w      Writer
	in     chan Row
	rows   int64
	failed int64
}

func NewIngester(ctx context.Context, w Writer, workers int) *Ingester {
	g := &Ingester{w: w, in: make(chan Row, 1000)}
	for range workers {
		go g.work(ctx)
	}
	go g.report(ctx, time.Minute)
	return g
}

func (g *Ingester) work(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case r := <-g.in:
			if err := g.w.WriteRow(ctx, r); err != nil {
				atomic.AddInt64(&g.failed, 1)
				continue
			}
			atomic.AddInt64(&g.rows, 1)
		}
	}
}

func (g *Ingester) flush() int64 {
	n := g.rows
	g.rows = 0
	return n
}

func (g *Ingester) report(ctx context.Context, every time.Duration) {
	for ctx.Err() == nil {
		time.Sleep(every)
		log.Printf("ingest: %d rows, %d failed", g.flush(), atomic.LoadInt64(&g.failed))
	}
}

func (g *Ingester) Insert(r Row) { g.in <- r }
