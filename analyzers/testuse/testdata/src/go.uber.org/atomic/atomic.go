// Package atomic stands for the one of this path.
package atomic

import "sync/atomic"

type Int64 struct{ v int64 }

func (x *Int64) Load() int64         { return atomic.LoadInt64(&x.v) }
func (x *Int64) Store(n int64)       { atomic.StoreInt64(&x.v, n) }
func (x *Int64) Add(n int64) int64   { return atomic.AddInt64(&x.v, n) }
func (x *Int64) CAS(o, n int64) bool { return atomic.CompareAndSwapInt64(&x.v, o, n) }

type Bool struct{ v Int64 }

func (x *Bool) Load() bool { return x.v.Load() == 1 }
func (x *Bool) Store(b bool) {
	if b {
		x.v.Store(1)
	} else {
		x.v.Store(0)
	}
}
func (x *Bool) Toggle() bool { return x.v.Add(1)&1 == 0 }
