package etlrows

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
)

type Row []string

type Sink interface {
	Insert(ctx context.Context, table string, rows []Row) (int, error)
}

type Loader struct {
	sink  Sink
	table string
	rows  int64
	fails int64
}

func NewLoader(s Sink, table string) *Loader {
	return &Loader{sink: s, table: table}
}

func (l *Loader) worker(ctx context.Context, batches <-chan []Row) {
	for b := range batches {
		n, err := l.sink.Insert(ctx, l.table, b)
		if err != nil {
			atomic.AddInt64(&l.fails, 1)
			continue
		}
		total := atomic.LoadInt64(&l.rows) + int64(n)
		if total%10000 == 0 {
			fmt.Printf("%s: %d rows\n", l.table, total)
		}
		atomic.StoreInt64(&l.rows, total)
	}
}

func (l *Loader) Run(ctx context.Context, par int, batches <-chan []Row) (int64, error) {
	var wg sync.WaitGroup
	for range par {
		wg.Add(1)
		go func() {
			defer wg.Done()
			l.worker(ctx, batches)
		}()
	}
	wg.Wait()
	if n := atomic.LoadInt64(&l.fails); n > 0 {
		return atomic.LoadInt64(&l.rows), fmt.Errorf("%d batches failed", n)
	}
	return atomic.LoadInt64(&l.rows), nil
}
