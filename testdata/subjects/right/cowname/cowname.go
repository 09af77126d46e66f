// Package cowname has loggers that are never changed, only copied.
package cowname

import (
	"io"
	"sync"
	"time"
)

// Logger writes lines; all copies of one share its lock.
type Logger struct {
	mu     *sync.Mutex
	w      io.Writer
	prefix string
	since  time.Time
}

// New makes one.
func New(w io.Writer) *Logger { return &Logger{mu: new(sync.Mutex), w: w, since: time.Now()} }

func (l *Logger) clone() *Logger {
	c := *l
	return &c
}

// Named is a copy with another prefix. Right: it is the copy that is written, before anybody
// else has it; the lock is for the writer that it shares.
func (l *Logger) Named(name string) *Logger {
	c := l.clone()
	l.mu.Lock()
	defer l.mu.Unlock()
	c.prefix = name
	c.since = time.Now()
	io.WriteString(l.w, "named "+name)
	return c
}

// Prefix is its name.
func (l *Logger) Prefix() string { return l.prefix }

// Since is its age.
func (l *Logger) Since() time.Time { return l.since }

// Print writes a line.
func (l *Logger) Print(s string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	io.WriteString(l.w, l.prefix+s)
}
