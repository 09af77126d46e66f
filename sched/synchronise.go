package sched

import "sync"

// The operations of package sync. Each does what the method of its name does and
// returns true if the calling goroutine is under control; otherwise it does
// nothing and returns false, and the caller does the real thing. The methods of a
// patched standard library begin with a call of them.

// MutexLock is m.Lock.
func MutexLock(m *sync.Mutex) (done bool) { return false }

// MutexTryLock is m.TryLock; done is what the others return.
func MutexTryLock(m *sync.Mutex) (locked, done bool) { return false, false }

// MutexUnlock is m.Unlock.
func MutexUnlock(m *sync.Mutex) (done bool) { return false }

// RWMutexLock is m.Lock.
func RWMutexLock(m *sync.RWMutex) (done bool) { return false }

// RWMutexTryLock is m.TryLock.
func RWMutexTryLock(m *sync.RWMutex) (locked, done bool) { return false, false }

// RWMutexUnlock is m.Unlock.
func RWMutexUnlock(m *sync.RWMutex) (done bool) { return false }

// RWMutexRLock is m.RLock.
func RWMutexRLock(m *sync.RWMutex) (done bool) { return false }

// RWMutexTryRLock is m.TryRLock.
func RWMutexTryRLock(m *sync.RWMutex) (locked, done bool) { return false, false }

// RWMutexRUnlock is m.RUnlock.
func RWMutexRUnlock(m *sync.RWMutex) (done bool) { return false }

// WaitGroupAdd is g.Add(delta), and g.Done with -1.
func WaitGroupAdd(g *sync.WaitGroup, delta int) (done bool) { return false }

// WaitGroupWait is g.Wait.
func WaitGroupWait(g *sync.WaitGroup) (done bool) { return false }

// WaitGroupGo is g.Go(f).
func WaitGroupGo(g *sync.WaitGroup, f func()) (done bool) { return false }

// CondWait is c.Wait.
func CondWait(c *sync.Cond) (done bool) { return false }

// CondSignal is c.Signal.
func CondSignal(c *sync.Cond) (done bool) { return false }

// CondBroadcast is c.Broadcast.
func CondBroadcast(c *sync.Cond) (done bool) { return false }

// OnceDo is o.Do(f).
func OnceDo(o *sync.Once, f func()) (done bool) { return false }

// PoolGet says that the pool is to be taken for empty: under control Get calls
// New, for what the real one returns depends on the processor and the garbage
// collector.
func PoolGet(p *sync.Pool) (done bool) { return false }

// PoolPut drops what is put.
func PoolPut(p *sync.Pool) (done bool) { return false }
