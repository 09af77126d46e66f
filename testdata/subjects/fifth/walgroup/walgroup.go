// Package walgroup is a write-ahead log with group commit.
package walgroup

import (
	"bufio"
	"context"
	"errors"
	"log"
	"os"
	"sync"
	"time"
)

var ErrFailed = errors.New("walgroup: log has failed")

type LSN uint64

type Log struct {
	file  *os.File
	every time.Duration
	quit  chan struct{}
	done  chan struct{}

	mu      sync.Mutex
	buf     *bufio.Writer
	written LSN
	durable LSN
	failed  bool
	synced  chan struct{} // closed and replaced after each sync
}

func Open(name string, every time.Duration) (*Log, error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	l := &Log{
		file:   f,
		every:  every,
		quit:   make(chan struct{}),
		done:   make(chan struct{}),
		buf:    bufio.NewWriter(f),
		synced: make(chan struct{}),
	}
	go l.syncLoop()
	return l, nil
}

// Write buffers one record. It is durable once Wait returns for its LSN.
func (l *Log) Write(rec []byte) (LSN, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed {
		return 0, ErrFailed
	}
	if _, err := l.buf.Write(rec); err != nil {
		l.failed = true
		l.wakeLocked()
		return 0, err
	}
	l.written++
	return l.written, nil
}

func (l *Log) progress() (LSN, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed {
		return l.durable, ErrFailed
	}
	return l.durable, nil
}

func (l *Log) nextSync() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.synced
}

// Wait blocks until the record at lsn is on disk.
func (l *Log) Wait(ctx context.Context, lsn LSN) error {
	for {
		at, err := l.progress()
		if err != nil {
			return err
		}
		if at >= lsn {
			return nil
		}
		select {
		case <-l.nextSync():
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (l *Log) syncLoop() {
	defer close(l.done)
	t := time.NewTicker(l.every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			l.sync()
		case <-l.quit:
			l.sync()
			return
		}
	}
}

func (l *Log) sync() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed || l.durable == l.written {
		return
	}
	err := l.buf.Flush()
	if err == nil {
		err = l.file.Sync()
	}
	if err != nil {
		log.Printf("walgroup: sync: %v", err)
		l.failed = true
	} else {
		l.durable = l.written
	}
	l.wakeLocked()
}

func (l *Log) wakeLocked() {
	close(l.synced)
	l.synced = make(chan struct{})
}

// Close syncs what is left. It must be called once.
func (l *Log) Close() error {
	close(l.quit)
	<-l.done
	return l.file.Close()
}
