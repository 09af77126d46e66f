// Package connreaper keeps the links of a gateway and closes the silent ones.
package connreaper

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

var ErrUnknownLink = errors.New("connreaper: unknown link")

type link struct {
	id   uint64
	conn net.Conn
	done chan struct{}
	last atomic.Int64
	out  chan []byte
}

func (l *link) touch() { l.last.Store(time.Now().UnixNano()) }

func (l *link) silent(now time.Time) time.Duration {
	return now.Sub(time.Unix(0, l.last.Load()))
}

// Receiver gets each packet that a link reads.
type Receiver func(id uint64, pkt []byte)

type Keeper struct {
	recv  Receiver
	quiet time.Duration
	log   *slog.Logger
	ids   atomic.Uint64
	links sync.Map // uint64 -> *link
}

func NewKeeper(ctx context.Context, quiet time.Duration, recv Receiver, log *slog.Logger) *Keeper {
	k := &Keeper{recv: recv, quiet: quiet, log: log}
	go k.reap(ctx)
	return k
}

// Attach takes a connection over and returns the id of its link.
func (k *Keeper) Attach(c net.Conn) uint64 {
	l := &link{
		id:   k.ids.Add(1),
		conn: c,
		done: make(chan struct{}),
		out:  make(chan []byte, 8),
	}
	l.touch()
	k.links.Store(l.id, l)
	go k.read(l)
	go k.write(l)
	return l.id
}

func (k *Keeper) read(l *link) {
	buf := make([]byte, 4096)
	for {
		n, err := l.conn.Read(buf)
		if err != nil {
			k.Drop(l.id, err)
			return
		}
		l.touch()
		k.recv(l.id, append([]byte(nil), buf[:n]...))
	}
}

func (k *Keeper) write(l *link) {
	for {
		select {
		case <-l.done:
			return
		case p := <-l.out:
			if _, err := l.conn.Write(p); err != nil {
				k.Drop(l.id, err)
				return
			}
		}
	}
}

// Send queues a packet for a link.
func (k *Keeper) Send(ctx context.Context, id uint64, p []byte) error {
	v, ok := k.links.Load(id)
	if !ok {
		return ErrUnknownLink
	}
	l := v.(*link)
	select {
	case l.out <- p:
		return nil
	case <-l.done:
		return net.ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Drop closes a link and reports whether this call did it.
func (k *Keeper) Drop(id uint64, cause error) bool {
	v, ok := k.links.LoadAndDelete(id)
	if !ok {
		return false
	}
	l := v.(*link)
	select {
	case <-l.done:
		return false
	default:
	}
	close(l.done)
	l.conn.Close()
	k.log.Info("link closed", "link", id, "cause", cause)
	return true
}

func (k *Keeper) reap(ctx context.Context) {
	t := time.NewTicker(k.quiet / 3)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			k.links.Range(func(id, _ any) bool {
				k.Drop(id.(uint64), ctx.Err())
				return true
			})
			return
		case now := <-t.C:
			k.links.Range(func(id, v any) bool {
				if s := v.(*link).silent(now); s > k.quiet {
					k.Drop(id.(uint64), errors.New("silent for "+s.String()))
				}
				return true
			})
		}
	}
}
