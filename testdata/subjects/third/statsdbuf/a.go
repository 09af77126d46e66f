package statsdbuf

import (
	"fmt"
	"io"
	"sync"
	"time"
)

type Buffer struct {
	mu  sync.Mutex
	buf []byte
	max int

	wmu sync.Mutex
	w   io.Writer
}

func NewBuffer(w io.Writer, max int) *Buffer {
	return &Buffer{w: w, max: max, buf: make([]byte, 0, max+256)}
}

func (b *Buffer) line(name string, v any, kind string) (full bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.buf = fmt.Appendf(b.buf, "%s:%v|%s\n", name, v, kind)
	return len(b.buf) >= b.max
}

func (b *Buffer) Count(name string, n int64) error {
	if b.line(name, n, "c") {
		return b.Flush()
	}
	return nil
}

func (b *Buffer) Timing(name string, d time.Duration) error {
	if b.line(name, d.Milliseconds(), "ms") {
		return b.Flush()
	}
	return nil
}

func (b *Buffer) Flush() error {
	b.wmu.Lock()
	defer b.wmu.Unlock()

	b.mu.Lock()
	packet := b.buf
	b.buf = b.buf[:0]
	b.mu.Unlock()

	if len(packet) == 0 {
		return nil
	}
	if _, err := b.w.Write(packet); err != nil {
		return fmt.Errorf("statsd: %w", err)
	}
	return nil
}

func (b *Buffer) Run(every time.Duration, stop <-chan struct{}) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-stop:
			b.Flush()
			return
		case <-t.C:
			b.Flush()
		}
	}
}
