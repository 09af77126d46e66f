package blocklog

import (
	"errors"
	"sync"
	"time"
)

var ErrTooLarge = errors.New("blocklog: record larger than block")

type Syncer interface {
	WriteBlock(n int, b []byte) error
}

type Log struct {
	mu      sync.Mutex
	dst     Syncer
	size    int
	block   []byte
	pos     int
	blockNo int
	lastErr error
	delay   time.Duration
}

func NewLog(dst Syncer, blockSize int) *Log {
	return &Log{dst: dst, size: blockSize, block: make([]byte, blockSize), delay: 5 * time.Millisecond}
}

func (l *Log) rotateLocked() {
	full, no := l.block[:l.pos], l.blockNo
	l.block = make([]byte, l.size)
	l.pos = 0
	l.blockNo++
	l.mu.Unlock()
	err := l.dst.WriteBlock(no, full)
	if err != nil {
		time.Sleep(l.delay)
		err = l.dst.WriteBlock(no, full)
	}
	l.mu.Lock()
	if err != nil {
		l.lastErr = err
	}
}

func (l *Log) Append(rec []byte) (block int, off int, err error) {
	if len(rec) > l.size {
		return 0, 0, ErrTooLarge
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	off = l.pos
	if off+len(rec) > l.size {
		off = 0
		l.rotateLocked()
	}
	copy(l.block[off:], rec)
	l.pos = off + len(rec)
	return l.blockNo, off, l.lastErr
}
