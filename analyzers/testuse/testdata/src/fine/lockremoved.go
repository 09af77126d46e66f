package fine

import "sync"

// KeyLocksCounted counts those that have, or wait for, the mutex of a key.
type KeyLocksCounted struct {
	mu    sync.Mutex
	locks map[string]*sync.Mutex
	users map[string]int
}

func (k *KeyLocksCounted) LockKey(key string) {
	k.mu.Lock()
	l, ok := k.locks[key]
	if !ok {
		l = new(sync.Mutex)
		k.locks[key] = l
	}
	k.users[key]++
	k.mu.Unlock()
	l.Lock()
}

func (k *KeyLocksCounted) UnlockKey(key string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	l := k.locks[key]
	k.users[key]--
	if k.users[key] == 0 {
		delete(k.locks, key)
		delete(k.users, key)
	}
	l.Unlock()
}

// KeyLocksAgain looks whether the mutex is still the one of the key when it has it.
type KeyLocksAgain struct{ locks sync.Map }

func (k *KeyLocksAgain) LockKey(key string) func() {
	for {
		v, _ := k.locks.LoadOrStore(key, new(sync.Mutex))
		mu := v.(*sync.Mutex)
		mu.Lock()
		if now, ok := k.locks.Load(key); ok && now == v {
			return func() {
				k.locks.Delete(key)
				mu.Unlock()
			}
		}
		mu.Unlock()
	}
}

// KeyLocksTried deletes a mutex that nobody has, and tries it under the lock of the map, where nobody can get it.
type KeyLocksTried struct {
	mu    sync.Mutex
	locks map[string]*sync.Mutex
}

func (k *KeyLocksTried) TryLockKey(key string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	l, ok := k.locks[key]
	if !ok {
		l = new(sync.Mutex)
		k.locks[key] = l
	}
	return l.TryLock()
}

func (k *KeyLocksTried) UnlockKey(key string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.locks[key].Unlock()
	delete(k.locks, key)
}
