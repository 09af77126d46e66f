package ctlconn

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
)

var ErrConnClosed = errors.New("ctlconn: connection closed")

type Command func(args []string) (string, error)

// Conn serves a line protocol on a control connection.
type Conn struct {
	rwc      io.ReadWriteCloser
	commands map[string]Command
	log      *slog.Logger
	out      chan string
	done     chan struct{}
	closed   atomic.Bool
	cause    error
	wg       sync.WaitGroup
}

func Serve(rwc io.ReadWriteCloser, commands map[string]Command, log *slog.Logger) *Conn {
	c := &Conn{
		rwc:      rwc,
		commands: commands,
		log:      log,
		out:      make(chan string, 16),
		done:     make(chan struct{}),
	}
	c.wg.Go(c.reader)
	c.wg.Go(c.writer)
	return c
}

func (c *Conn) shutdown(cause error) bool {
	if c.closed.Load() {
		return false
	}
	if !c.closed.CompareAndSwap(false, true) {
		return false
	}
	c.cause = cause
	close(c.done)
	if err := c.rwc.Close(); err != nil {
		c.log.Debug("close", "err", err)
	}
	return true
}

func (c *Conn) reader() {
	sc := bufio.NewScanner(c.rwc)
	for sc.Scan() {
		name, rest, _ := strings.Cut(sc.Text(), " ")
		if err := c.Push(c.run(name, strings.Fields(rest))); err != nil {
			return
		}
	}
	err := sc.Err()
	if err == nil {
		err = io.EOF
	}
	c.shutdown(fmt.Errorf("read: %w", err))
}

func (c *Conn) run(name string, args []string) string {
	cmd, ok := c.commands[name]
	if !ok {
		return "ERR unknown command " + name
	}
	res, err := cmd(args)
	if err != nil {
		return "ERR " + err.Error()
	}
	return "OK " + res
}

func (c *Conn) writer() {
	for {
		select {
		case <-c.done:
			return
		case s := <-c.out:
			if _, err := io.WriteString(c.rwc, s+"\n"); err != nil {
				c.shutdown(fmt.Errorf("write: %w", err))
				return
			}
		}
	}
}

// Push queues a line for the other side.
func (c *Conn) Push(s string) error {
	select {
	case c.out <- s:
		return nil
	case <-c.done:
		return ErrConnClosed
	}
}

// Close ends the connection and waits for its goroutines.
func (c *Conn) Close() error {
	first := c.shutdown(ErrConnClosed)
	c.wg.Wait()
	if !first {
		return ErrConnClosed
	}
	return nil
}

// Wait blocks until the connection ended and tells why.
func (c *Conn) Wait() error {
	<-c.done
	return c.cause
}
