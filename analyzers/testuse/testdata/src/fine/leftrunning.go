package fine

import (
	"bufio"
	"context"
	"io"
	"sync"
)

// Whoever closes the channel knows that those who were started below have sent what they had.

type wireReader struct {
	dial func(context.Context, string) (io.ReadCloser, error)
}

// The goroutines are counted, and who has started them waits.
func (w *wireReader) Tail(ctx context.Context, host string, out chan []byte) {
	defer close(out)
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
	var wg sync.WaitGroup
	w.parsers(raw, out, &wg)
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		raw <- lines.Text()
	}
	close(raw)
	wg.Wait()
	return nil
}

func (w *wireReader) parsers(raw chan string, out chan<- []byte, wg *sync.WaitGroup) {
	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for l := range raw {
				out <- []byte(l)
			}
		}()
	}
}

// Each says by a channel of its own that it has ended.
func (w *wireReader) Follow(ctx context.Context, hosts []string) <-chan string {
	merged := make(chan string)
	ended := w.follow(ctx, hosts, merged)
	go func() {
		for range hosts {
			<-ended
		}
		close(merged)
	}()
	return merged
}

func (w *wireReader) follow(ctx context.Context, hosts []string, to chan<- string) <-chan struct{} {
	ended := make(chan struct{})
	for _, h := range hosts {
		go func() {
			for {
				r, err := w.dial(ctx, h)
				if err != nil {
					break
				}
				to <- h
				r.Close()
			}
			ended <- struct{}{}
		}()
	}
	return ended
}

// All that is sent is counted where it is received.
func (w *wireReader) Probe(hosts []string) int {
	found := make(chan bool)
	w.probeAll(hosts, found)
	up := 0
	for range hosts {
		if <-found {
			up++
		}
	}
	close(found)
	return up
}

func (w *wireReader) probeAll(hosts []string, found chan<- bool) {
	go func() {
		for _, h := range hosts {
			_, err := w.dial(context.Background(), h)
			found <- err == nil
		}
	}()
}

// The function below waits itself.
func (w *wireReader) Each(hosts []string, out chan string) {
	defer close(out)
	w.each(hosts, out)
}

func (w *wireReader) each(hosts []string, out chan<- string) {
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		for _, h := range hosts {
			out <- h
		}
	}()
	<-stopped
}
