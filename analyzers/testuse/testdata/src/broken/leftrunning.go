package broken

import (
	"bufio"
	"context"
	"io"
	"time"
)

// A channel is closed while goroutines that were started by a function it was given to still send on it.

type wireReader struct {
	dial func(context.Context, string) (io.ReadCloser, error)
}

// Merge closes the merged lines as soon as the context ends, whoever still sends.
func (w *wireReader) Merge(ctx context.Context, hosts func() []string, pause func(time.Duration)) <-chan string {
	merged := make(chan string, 16)
	known := w.dialNew(ctx, nil, hosts(), merged, pause)
	go func() {
		t := time.NewTicker(time.Minute)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				known = w.dialNew(ctx, known, hosts(), merged, pause)
			case <-ctx.Done():
				close(merged) // want `merged is closed here while a goroutine that sends on it, which \(\*wireReader\).dialNew has started, may still run`
				return
			}
		}
	}()
	return merged
}

func (w *wireReader) dialNew(ctx context.Context, known map[string]context.CancelFunc, hosts []string, to chan<- string, pause func(time.Duration)) map[string]context.CancelFunc {
	next := map[string]context.CancelFunc{}
	for _, h := range hosts {
		if stop := known[h]; stop != nil {
			next[h] = stop
			continue
		}
		own, stop := context.WithCancel(ctx)
		go w.readAll(own, h, to, pause)
		next[h] = stop
	}
	return next
}

func (w *wireReader) readAll(ctx context.Context, host string, to chan<- string, pause func(time.Duration)) {
	for w.readOne(ctx, host, to) == nil {
		pause(time.Second)
	}
}

func (w *wireReader) readOne(ctx context.Context, host string, to chan<- string) error {
	r, err := w.dial(ctx, host)
	if err != nil {
		return err
	}
	defer r.Close()
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		select {
		case to <- lines.Text():
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return lines.Err()
}

// Tail reads one connection after the other, and leaves the parsers of each running.
func (w *wireReader) Tail(ctx context.Context, host string, out chan []byte) {
	defer close(out) // want `out is closed here while a goroutine that sends on it, which \(\*wireReader\).tailOnce has started, may still run`
	for ctx.Err() == nil {
		if err := w.tailOnce(ctx, host, out); err != nil {
			return
		}
	}
}

func (w *wireReader) tailOnce(ctx context.Context, host string, out chan<- []byte) error {
	r, err := w.dial(ctx, host)
	if err != nil {
		return err
	}
	defer r.Close()
	raw := make(chan string, 10)
	defer close(raw)
	w.parsers(raw, out)
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		raw <- lines.Text()
	}
	return nil
}

func (w *wireReader) parsers(raw chan string, out chan<- []byte) {
	for range 8 {
		go func() {
			for l := range raw {
				out <- []byte(l)
			}
		}()
	}
}
