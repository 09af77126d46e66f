// Package fbwriter appends to segments in one goroutine; others ask how large they are.
package fbwriter

import (
	"errors"
	"os"
	"sync"
)

type segment struct {
	first int64
	size  int64 // changed by the writer under the lock
	file  *os.File
}

// Log has one writer.
type Log struct {
	mu       sync.RWMutex
	segments []*segment
	in       chan []byte
}

// Open starts the writer.
func Open(f *os.File) *Log {
	l := &Log{segments: []*segment{{file: f}}, in: make(chan []byte, 16)}
	go l.write()
	return l
}

// active is called with the lock held.
func (l *Log) active() (*segment, error) {
	if len(l.segments) == 0 {
		return nil, errors.New("fbwriter: none")
	}
	return l.segments[len(l.segments)-1], nil
}

// Append hands p to the writer.
func (l *Log) Append(p []byte) { l.in <- p }

// Size is what has been written.
func (l *Log) Size() (n int64) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for _, s := range l.segments {
		n += s.size
	}
	return n
}

func (l *Log) write() {
	for p := range l.in {
		l.mu.RLock()
		s, err := l.active()
		if err != nil {
			l.mu.RUnlock()
			return
		}
		l.mu.RUnlock()
		// The writer alone changes the size: it may read it without the lock.
		n, err := s.file.WriteAt(p, s.size)
		l.grow(s, int64(n))
		if err != nil {
			return
		}
	}
}

func (l *Log) grow(s *segment, n int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s.size += n
}
