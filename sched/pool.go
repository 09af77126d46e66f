package sched

import "sync"

// PoolGet says that the pool is to be taken for empty: under control Get calls
// New, for what the real one returns depends on the processor and the garbage
// collector.
func PoolGet(p *sync.Pool) (done bool) { return Active() }

// PoolPut drops what is put.
func PoolPut(p *sync.Pool) (done bool) { return Active() }
