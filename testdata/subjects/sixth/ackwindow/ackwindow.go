// Package ackwindow tracks which published messages a broker has acknowledged.
package ackwindow

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"sync"
	"time"
)

var ErrBroken = errors.New("ackwindow: connection broken")

type waiter struct {
	seq   uint64
	since time.Time
	ready chan struct{}
}

type Window struct {
	out io.Writer

	sendMu sync.Mutex
	seq    uint64

	ackMu   sync.Mutex
	acked   uint64
	waiting []*waiter
	err     error
	slowest time.Duration
}

// New reads acknowledgements from in (eight bytes each) until it ends.
func New(out io.Writer, in io.Reader) *Window {
	w := &Window{out: out}
	go w.readAcks(in)
	return w
}

// Publish writes one message and returns its number.
func (w *Window) Publish(body []byte) (uint64, error) {
	w.sendMu.Lock()
	defer w.sendMu.Unlock()
	frame := make([]byte, 12, 12+len(body))
	binary.BigEndian.PutUint64(frame, w.seq+1)
	binary.BigEndian.PutUint32(frame[8:], uint32(len(body)))
	if _, err := w.out.Write(append(frame, body...)); err != nil {
		return 0, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	w.seq++
	return w.seq, nil
}

// PublishSync is Publish and WaitAcked.
func (w *Window) PublishSync(ctx context.Context, body []byte) error {
	seq, err := w.Publish(body)
	if err != nil {
		return err
	}
	return w.WaitAcked(ctx, seq)
}

// WaitAcked returns when seq and all before it are acknowledged.
func (w *Window) WaitAcked(ctx context.Context, seq uint64) error {
	w.ackMu.Lock()
	acked, err := w.acked, w.err
	w.ackMu.Unlock()
	switch {
	case acked >= seq:
		return nil
	case err != nil:
		return err
	}

	wt := &waiter{seq: seq, since: time.Now(), ready: make(chan struct{})}
	w.ackMu.Lock()
	w.waiting = append(w.waiting, wt)
	if n := len(w.waiting); n%1000 == 0 {
		log.Printf("ackwindow: %d producers wait", n)
	}
	w.ackMu.Unlock()

	select {
	case <-wt.ready:
	case <-ctx.Done():
		return fmt.Errorf("ackwindow: message %d: %w", seq, ctx.Err())
	}
	w.ackMu.Lock()
	defer w.ackMu.Unlock()
	w.slowest = max(w.slowest, time.Since(wt.since))
	if w.acked < seq {
		return w.err
	}
	return nil
}

func (w *Window) readAcks(in io.Reader) {
	br := bufio.NewReader(in)
	var buf [8]byte
	for {
		if _, err := io.ReadFull(br, buf[:]); err != nil {
			w.fail(fmt.Errorf("%w: %w", ErrBroken, err))
			return
		}
		w.ack(binary.BigEndian.Uint64(buf[:]))
	}
}

func (w *Window) ack(seq uint64) {
	w.ackMu.Lock()
	defer w.ackMu.Unlock()
	w.acked = max(w.acked, seq)
	kept := w.waiting[:0]
	for _, wt := range w.waiting {
		if wt.seq <= w.acked {
			close(wt.ready)
			continue
		}
		kept = append(kept, wt)
	}
	clear(w.waiting[len(kept):])
	w.waiting = kept
}

func (w *Window) fail(err error) {
	w.ackMu.Lock()
	defer w.ackMu.Unlock()
	w.err = err
	for _, wt := range w.waiting {
		close(wt.ready)
	}
	w.waiting = nil
}
