package sstable

import (
	"errors"
	"os"
	"sync/atomic"
)

var ErrObsolete = errors.New("sstable: table is obsolete")

type Table struct {
	f    *os.File
	num  uint64
	refs int32
}

func OpenTable(path string, num uint64) (*Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return &Table{f: f, num: num, refs: 1}, nil
}

func (t *Table) Retain() error {
	if atomic.LoadInt32(&t.refs) <= 0 {
		return ErrObsolete
	}
	atomic.AddInt32(&t.refs, 1)
	return nil
}

func (t *Table) Release() error {
	n := atomic.AddInt32(&t.refs, -1)
	switch {
	case n > 0:
		return nil
	case n == 0:
		if err := t.f.Close(); err != nil {
			return err
		}
		return os.Remove(t.f.Name())
	}
	panic("sstable: negative reference count")
}

func (t *Table) ReadBlock(off int64, buf []byte) (int, error) {
	if err := t.Retain(); err != nil {
		return 0, err
	}
	defer t.Release()
	return t.f.ReadAt(buf, off)
}

func (t *Table) Num() uint64 { return t.num }
