package crawlfeed

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/url"
	"sync"
)

type Feeder struct {
	urls   chan *url.URL
	cancel context.CancelFunc

	mu  sync.Mutex
	err error
}

func NewFeeder(ctx context.Context, r io.Reader, depth int) *Feeder {
	ctx, cancel := context.WithCancel(ctx)
	f := &Feeder{urls: make(chan *url.URL, depth), cancel: cancel}
	go f.produce(ctx, r)
	return f
}

func (f *Feeder) produce(ctx context.Context, r io.Reader) {
	defer close(f.urls)
	sc := bufio.NewScanner(r)
	for line := 1; sc.Scan(); line++ {
		u, err := url.Parse(sc.Text())
		if err != nil {
			f.fail(fmt.Errorf("line %d: %w", line, err))
			continue
		}
		select {
		case f.urls <- u:
		case <-ctx.Done():
			f.fail(ctx.Err())
			return
		}
	}
	f.fail(sc.Err())
}

func (f *Feeder) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.err = err
	}
}

func (f *Feeder) URLs() <-chan *url.URL { return f.urls }

func (f *Feeder) Stop() { f.cancel() }

func (f *Feeder) Err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}
