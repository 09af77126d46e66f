// Package ticktail flushes a buffered writer at intervals, for logs that others tail.
package ticktail

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log"
	"sync"
	"time"
)

var ErrStopped = errors.New("ticktail: stopped")

// Writer buffers lines; they reach the file after one interval at most.
type Writer struct {
	out   io.WriteCloser
	every time.Duration
	stop  chan struct{}

	m     sync.Mutex
	buf   *bufio.Writer
	lines uint64
	cause error
}

func New(out io.WriteCloser, every time.Duration) *Writer {
	w := &Writer{
		out:   out,
		every: every,
		stop:  make(chan struct{}),
		buf:   bufio.NewWriterSize(out, 32<<10),
	}
	go w.flusher()
	return w
}

// Println writes one line. The first failure stops the writer.
func (w *Writer) Println(args ...any) error {
	w.m.Lock()
	defer w.m.Unlock()
	if w.isStopped() {
		return w.reason()
	}
	if _, err := fmt.Fprintln(w.buf, args...); err != nil {
		w.halt(err)
		return err
	}
	w.lines++
	return nil
}

func (w *Writer) isStopped() bool {
	select {
	case <-w.stop:
		return true
	default:
		return false
	}
}

func (w *Writer) reason() error {
	if w.cause != nil {
		return fmt.Errorf("%w: %w", ErrStopped, w.cause)
	}
	return ErrStopped
}

// halt closes the stop channel unless that has been done.
func (w *Writer) halt(cause error) bool {
	select {
	case <-w.stop:
		return false
	default:
		w.cause = cause
		close(w.stop)
		if cause != nil {
			w.out.Close()
		}
		return true
	}
}

func (w *Writer) flusher() {
	t := time.NewTicker(w.every)
	defer t.Stop()
	for {
		select {
		case <-w.stop:
			return
		case <-t.C:
			w.tick()
		}
	}
}

func (w *Writer) tick() {
	w.m.Lock()
	defer w.m.Unlock()
	if w.isStopped() {
		return
	}
	if err := w.buf.Flush(); err != nil {
		log.Printf("ticktail: flush after %d lines: %v", w.lines, err)
		w.halt(err)
	}
}

// Close flushes what is left. It may be called more than once.
func (w *Writer) Close() error {
	w.m.Lock()
	defer w.m.Unlock()
	if !w.halt(nil) {
		return w.reason()
	}
	return errors.Join(w.buf.Flush(), w.out.Close())
}

// Stopped is closed when the writer takes no more lines.
func (w *Writer) Stopped() <-chan struct{} { return w.stop }

func (w *Writer) Lines() uint64 {
	w.m.Lock()
	defer w.m.Unlock()
	return w.lines
}
