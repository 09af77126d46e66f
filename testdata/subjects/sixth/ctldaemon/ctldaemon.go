// Package ctldaemon answers control commands on a unix socket.
package ctldaemon

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type Command func(ctx context.Context, args []string) (string, error)

var errUnknown = errors.New("unknown command")

type Daemon struct {
	log         *slog.Logger
	maxSessions int64
	idle        time.Duration
	cmds        map[string]Command

	sessions atomic.Int64
	served   atomic.Uint64
	wg       sync.WaitGroup
}

type Option func(*Daemon)

func WithMaxSessions(n int64) Option         { return func(d *Daemon) { d.maxSessions = n } }
func WithIdle(t time.Duration) Option        { return func(d *Daemon) { d.idle = t } }
func WithCommand(n string, c Command) Option { return func(d *Daemon) { d.cmds[n] = c } }

func New(log *slog.Logger, opts ...Option) *Daemon {
	d := &Daemon{log: log, maxSessions: 4, idle: time.Minute, cmds: map[string]Command{}}
	for _, o := range opts {
		o(d)
	}
	return d
}

// Serve accepts until the listener is closed or ctx ends.
func (d *Daemon) Serve(ctx context.Context, ln net.Listener) error {
	defer d.wg.Wait()
	stop := context.AfterFunc(ctx, func() { ln.Close() })
	defer stop()
	for {
		conn, err := ln.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return fmt.Errorf("ctldaemon: accept: %w", err)
		}
		d.wg.Go(func() { d.handle(ctx, conn) })
	}
}

func (d *Daemon) handle(ctx context.Context, conn net.Conn) {
	defer conn.Close()
	w := bufio.NewWriter(conn)
	defer w.Flush()
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()

	if n := d.sessions.Load(); n >= d.maxSessions {
		d.log.Warn("control session refused", "active", n, "max", d.maxSessions)
		fmt.Fprintf(w, "busy: %d sessions\n", n)
		return
	}
	conn.SetDeadline(time.Now().Add(d.idle))
	in := bufio.NewScanner(conn)
	if !in.Scan() || strings.TrimSpace(in.Text()) != "HELLO" {
		fmt.Fprintln(w, "protocol error")
		return
	}
	d.sessions.Add(1)
	defer d.sessions.Add(-1)

	fmt.Fprintln(w, "ready")
	w.Flush()
	for in.Scan() {
		conn.SetDeadline(time.Now().Add(d.idle))
		fields := strings.Fields(in.Text())
		if len(fields) == 0 {
			continue
		}
		switch name := strings.ToLower(fields[0]); name {
		case "quit":
			fmt.Fprintln(w, "bye")
			return
		case "help":
			fmt.Fprintln(w, strings.Join(d.names(), " "))
		default:
			out, err := d.run(ctx, name, fields[1:])
			if err != nil {
				fmt.Fprintf(w, "error: %v\n", err)
				break
			}
			fmt.Fprintln(w, out)
		}
		d.served.Add(1)
		if err := w.Flush(); err != nil {
			d.log.Debug("control write", "err", err)
			return
		}
	}
}

func (d *Daemon) run(ctx context.Context, name string, args []string) (string, error) {
	c, ok := d.cmds[name]
	if !ok {
		return "", errUnknown
	}
	return c(ctx, args)
}

func (d *Daemon) names() []string {
	out := make([]string, 0, len(d.cmds))
	for n := range d.cmds {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}
