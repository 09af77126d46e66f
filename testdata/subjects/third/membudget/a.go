package membudget

import (
	"errors"
	"io"
	"sync/atomic"
)

var ErrNoMemory = errors.New("memory budget exhausted")

type Budget struct {
	limit  int64
	used   atomic.Int64
	denied atomic.Int64
}

func NewBudget(limit int64) *Budget { return &Budget{limit: limit} }

func (b *Budget) Take(n int64) bool {
	if b.used.Add(n) > b.limit {
		b.used.Add(-n)
		b.denied.Add(1)
		return false
	}
	return true
}

func (b *Budget) Give(n int64) { b.used.Add(-n) }

// Buffer is a byte buffer that is paid for from a Budget.
type Buffer struct {
	budget *Budget
	data   []byte
	paid   int64
}

func (b *Budget) Buffer() *Buffer { return &Buffer{budget: b} }

func (b *Buffer) Write(p []byte) (int, error) {
	n := int64(len(p))
	if !b.budget.Take(n) {
		return 0, ErrNoMemory
	}
	b.paid += n
	b.data = append(b.data, p...)
	return len(p), nil
}

func (b *Buffer) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write(b.data)
	b.data = b.data[n:]
	return int64(n), err
}

func (b *Buffer) Release() {
	b.budget.Give(b.paid)
	b.data, b.paid = nil, 0
}
