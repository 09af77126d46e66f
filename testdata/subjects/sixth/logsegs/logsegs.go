// Package logsegs is a segmented append-only log.
package logsegs

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"sync"
)

type segment struct {
	base int64
	size int64
	file *os.File
}

func (s *segment) contains(off int64) bool { return off >= s.base && off < s.base+s.size }

type Options struct {
	Dir        string
	SegmentMax int64
}

var (
	ErrGone   = errors.New("logsegs: offset was truncated")
	ErrFuture = errors.New("logsegs: offset beyond the end")
)

type Log struct {
	opts Options

	lock   sync.RWMutex
	segs   []*segment
	synced int64
}

func Open(opts Options) (*Log, error) {
	l := &Log{opts: opts}
	if err := os.MkdirAll(opts.Dir, 0o755); err != nil {
		return nil, err
	}
	if err := l.rollLocked(0); err != nil {
		return nil, err
	}
	return l, nil
}

func (l *Log) rollLocked(base int64) error {
	name := filepath.Join(l.opts.Dir, fmt.Sprintf("%020d.seg", base))
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return fmt.Errorf("logsegs: roll: %w", err)
	}
	l.segs = append(l.segs, &segment{base: base, file: f})
	return nil
}

// Append writes p and returns its offset.
func (l *Log) Append(p []byte) (int64, error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	cur := l.segs[len(l.segs)-1]
	if cur.size > 0 && cur.size+int64(len(p)) > l.opts.SegmentMax {
		if err := cur.file.Sync(); err != nil {
			return 0, err
		}
		l.synced = cur.base + cur.size
		if err := l.rollLocked(cur.base + cur.size); err != nil {
			return 0, err
		}
		cur = l.segs[len(l.segs)-1]
	}
	n, err := cur.file.WriteAt(p, cur.size)
	if err != nil {
		return 0, fmt.Errorf("logsegs: append: %w", err)
	}
	off := cur.base + cur.size
	cur.size += int64(n)
	return off, nil
}

func (l *Log) findLocked(off int64) (*segment, error) {
	i := sort.Search(len(l.segs), func(i int) bool { return l.segs[i].base > off }) - 1
	switch {
	case i < 0:
		return nil, ErrGone
	case !l.segs[i].contains(off):
		return nil, ErrFuture
	}
	return l.segs[i], nil
}

// Read fills buf from off; it may return less at a segment's end.
func (l *Log) Read(buf []byte, off int64) (int, error) {
	l.lock.RLock()
	seg, err := l.findLocked(off)
	if err != nil {
		l.lock.RUnlock()
		return 0, fmt.Errorf("%w (offset %d)", err, off)
	}
	end := seg.base + seg.size
	l.lock.RUnlock()

	if room := end - off; int64(len(buf)) > room {
		buf = buf[:room]
	}
	n, err := seg.file.ReadAt(buf, off-seg.base)
	if err == io.EOF && n > 0 {
		err = nil
	}
	return n, err
}

// Truncate drops the segments that end at or before off.
func (l *Log) Truncate(off int64) (dropped int, err error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	var errs []error
	for len(l.segs) > 1 && l.segs[0].base+l.segs[0].size <= off {
		s := l.segs[0]
		l.segs[0] = nil
		l.segs = l.segs[1:]
		errs = append(errs, s.file.Close(), os.Remove(s.file.Name()))
		s.file = nil
		dropped++
	}
	return dropped, errors.Join(errs...)
}
