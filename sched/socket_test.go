package sched_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/atomrace/atomrace/sched"
)

// end is what a Socket and a net.TCPConn have in common.
type end interface {
	io.ReadWriter
	CloseRead() error
	CloseWrite() error
	SetReadDeadline(time.Time) error
	SetWriteDeadline(time.Time) error
}

// closing is either end's Close, reset at once or not.
func closing(x end, abort bool) error {
	switch x := x.(type) {
	case *sched.Socket:
		return x.Close(abort)
	case *net.TCPConn:
		if abort {
			x.SetLinger(0)
		}
		return x.Close()
	}
	panic("another end")
}

// scenarios use both ends, a and b, and say what they saw.
var scenarios = map[string]func(a, b end, say func(...any)){
	"bytes of several writes are one stream": func(a, b end, say func(...any)) {
		a.Write([]byte("hello, "))
		a.Write([]byte("world"))
		p := make([]byte, 5)
		n, err := io.ReadFull(b, p)
		say(n, err, string(p))
		rest := make([]byte, 100)
		n, err = b.Read(rest)
		say(n, err, string(rest[:n]))
	},
	"the end comes after all bytes": func(a, b end, say func(...any)) {
		a.Write([]byte("last"))
		say(closing(a, false))
		all, err := io.ReadAll(b)
		say(string(all), err)
	},
	"half closed": func(a, b end, say func(...any)) {
		a.Write([]byte("question"))
		say(a.CloseWrite())
		all, err := io.ReadAll(b)
		say(string(all), err)
		n, err := b.Write([]byte("answer"))
		say(n, err)
		closing(b, false)
		all, err = io.ReadAll(a)
		say(string(all), err)
		_, err = a.Write([]byte("x"))
		say(err)
	},
	"what was there before CloseRead": func(a, b end, say func(...any)) {
		a.Write([]byte("x"))
		say(b.CloseRead())
		all, err := io.ReadAll(b)
		say(string(all), err)
		n, err := a.Write([]byte("y"))
		say(n, err)
	},
	"writing to one who has closed": func(a, b end, say func(...any)) {
		closing(b, false)
		n, err := a.Write([]byte("lost"))
		say(n, err)
		n, err = a.Write([]byte("refused"))
		say(n, err)
		n, err = a.Read(make([]byte, 1))
		say(n, err)
	},
	"closed with something unread": func(a, b end, say func(...any)) {
		a.Write([]byte("unread"))
		closing(b, false)
		n, err := a.Read(make([]byte, 1))
		say(n, err)
		n, err = a.Read(make([]byte, 1))
		say(n, err)
		_, err = a.Write([]byte("x"))
		say(err)
	},
	"reset": func(a, b end, say func(...any)) {
		b.Write([]byte("x"))
		closing(b, true)
		p := make([]byte, 3)
		n, err := a.Read(p)
		say(n, err)
	},
	"after one's own Close": func(a, b end, say func(...any)) {
		say(closing(a, false))
		say(closing(a, false) != nil)
		_, err := a.Read(make([]byte, 1))
		say(err)
		_, err = a.Write(make([]byte, 1))
		say(err)
		say(a.SetReadDeadline(time.Time{}))
	},
	"nothing": func(a, b end, say func(...any)) {
		n, err := a.Read(nil)
		say(n, err)
		n, err = a.Write(nil)
		say(n, err)
	},
	"deadlines": func(a, b end, say func(...any)) {
		a.Write([]byte("x"))
		b.SetReadDeadline(time.Unix(1, 0))
		n, err := b.Read(make([]byte, 1))
		say(n, err)
		b.SetReadDeadline(time.Time{})
		n, err = b.Read(make([]byte, 1))
		say(n, err)
		b.SetReadDeadline(time.Now().Add(time.Millisecond))
		n, err = b.Read(make([]byte, 1))
		say(n, err)
		b.SetWriteDeadline(time.Unix(1, 0))
		n, err = b.Write([]byte("x"))
		say(n, err)
	},
}

// TestSocketIsLikeTCP compares what the ends of a Socket see with those of a connection
// that the kernel makes.
func TestSocketIsLikeTCP(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for name, scenario := range scenarios {
		var seen [2]strings.Builder
		for i := range seen {
			var a, b end
			if i == 0 {
				a, b = sched.Connect()
			} else {
				dialled, err := net.Dial("tcp", l.Addr().String())
				if err != nil {
					t.Fatal(err)
				}
				accepted, err := l.Accept()
				if err != nil {
					t.Fatal(err)
				}
				a, b = dialled.(*net.TCPConn), accepted.(*net.TCPConn)
			}
			scenario(a, b, func(values ...any) {
				for _, v := range values {
					fmt.Fprint(&seen[i], plainly(v), " ")
				}
				fmt.Fprintln(&seen[i])
			})
			closing(a, false)
			closing(b, false)
		}
		if seen[0].String() != seen[1].String() {
			t.Errorf("%s: a Socket has\n%s\nwhere TCP has\n%s", name, &seen[0], &seen[1])
		}
	}
}

// plainly is a value without what package net wraps around errors.
func plainly(v any) any {
	err, ok := v.(error)
	var errno syscall.Errno
	switch {
	case !ok:
		return v
	case errors.Is(err, net.ErrClosed), err == sched.ErrClosed:
		return "closed"
	case errors.Is(err, os.ErrDeadlineExceeded):
		return "deadline"
	case errors.As(err, &errno):
		return errno
	}
	return err
}

// TestSocketUnderControl has a server, clients that write more than there is room for,
// and a deadline, under every strategy.
func TestSocketUnderControl(t *testing.T) {
	big := make([]byte, 5<<20)
	everywhere(t, 4, func() {
		backlog := sched.NewBacklog()
		var all sync.WaitGroup
		sched.WaitGroupGo(&all, func() {
			for range 2 {
				c, err := backlog.Accept()
				assert(err == nil, "%v", err)
				sched.WaitGroupGo(&all, func() {
					n, err := io.Copy(io.Discard, c.(*sched.Socket))
					assert(n == int64(len(big)) && err == nil, "%d bytes, %v", n, err)
					c.(*sched.Socket).Close(false)
				})
			}
			now, _ := sched.Now()
			backlog.SetDeadline(now.Add(time.Hour))
			_, err := backlog.Accept()
			assert(err == os.ErrDeadlineExceeded, "%v", err)
			backlog.Close()
			assert(!backlog.Put(nil), "a connection to one who has closed")
		})
		for range 2 {
			sched.WaitGroupGo(&all, func() {
				a, b := sched.Connect()
				assert(backlog.Put(b), "closed")
				n, err := a.Write(big)
				assert(n == len(big) && err == nil, "%d bytes, %v", n, err)
				a.CloseWrite()
				_, err = a.Read(make([]byte, 1))
				assert(err == io.EOF, "%v", err)
			})
		}
		sched.WaitGroupWait(&all)
	}, done)
}

// TestSocketDeadlock: two that wait for each other's bytes are a deadlock, and not the network's business.
func TestSocketDeadlock(t *testing.T) {
	r := run(t, sched.Options{}, func() {
		a, b := sched.Connect()
		sched.Go(func() { b.Read(make([]byte, 1)) })
		a.Read(make([]byte, 1))
	})
	if r.Outcome != sched.OutcomeDeadlock || r.Uncontrolled != "" || strings.Count(r.Message, ": network connection ") != 2 {
		t.Errorf("%s: %s (%s)", r.Outcome, r.Message, r.Uncontrolled)
	}
}
