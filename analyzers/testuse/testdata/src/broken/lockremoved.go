package broken

import "sync"

// KeyLocks has a mutex for each key.
type KeyLocks struct {
	mu    sync.Mutex
	locks map[string]*sync.Mutex
}

func (k *KeyLocks) LockKey(key string) {
	k.mu.Lock()
	l, ok := k.locks[key]
	if !ok {
		l = new(sync.Mutex)
		k.locks[key] = l
	}
	k.mu.Unlock()
	l.Lock()
}

func (k *KeyLocks) UnlockKey(key string) {
	k.mu.Lock()
	l := k.locks[key]
	delete(k.locks, key) // want `the mutex is taken out of KeyLocks.locks\[\] here while others wait for it, as \(\*KeyLocks\).LockKey does: who comes next makes another one for the same key, and both go on at the same time; count those that have it, and let the last one delete it`
	k.mu.Unlock()
	l.Unlock()
}

// OneByKey does one thing at a time for each key.
type OneByKey struct{ running sync.Map }

func (o *OneByKey) Do(key string, f func()) {
	v, _ := o.running.LoadOrStore(key, &sync.Mutex{})
	mu := v.(*sync.Mutex)
	mu.Lock()
	defer func() {
		o.running.Delete(key) // want `the mutex is taken out of OneByKey.running\[\] here while others wait for it`
		mu.Unlock()
	}()
	f()
}

// HandedLocks hands its mutexes out.
type HandedLocks struct {
	mu    sync.Mutex
	locks map[string]*sync.RWMutex
}

func (h *HandedLocks) For(key string) *sync.RWMutex {
	h.mu.Lock()
	defer h.mu.Unlock()
	if l, ok := h.locks[key]; ok {
		return l
	}
	l := new(sync.RWMutex)
	h.locks[key] = l
	return l
}

func (h *HandedLocks) Forget(key string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, ok := h.locks[key]; ok {
		delete(h.locks, key) // want `the mutex is taken out of HandedLocks.locks\[\] here while others wait for it, as \(\*HandedLocks\).For does`
	}
}
