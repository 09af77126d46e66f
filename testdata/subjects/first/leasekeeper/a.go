package leasekeeper

import (
	"errors"
	"sync"
	"time"
)

var ErrHeld = errors.New("leasekeeper: held")

type lease struct {
	owner    string
	deadline time.Time
}

type Keeper struct {
	mu     sync.Mutex
	leases map[string]lease
	onFree func(name, owner string)
}

func NewKeeper(onFree func(name, owner string)) *Keeper {
	return &Keeper{leases: make(map[string]lease), onFree: onFree}
}

func (k *Keeper) Acquire(name, owner string, ttl time.Duration) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, held := k.leases[name]; held {
		return ErrHeld
	}
	k.leases[name] = lease{owner, time.Now().Add(ttl)}
	time.AfterFunc(ttl, func() { k.expire(name) })
	return nil
}

func (k *Keeper) Renew(name, owner string, ttl time.Duration) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	l, ok := k.leases[name]
	if !ok || l.owner != owner {
		return false
	}
	l.deadline = time.Now().Add(ttl)
	k.leases[name] = l
	return true
}

func (k *Keeper) expire(name string) {
	k.mu.Lock()
	l := k.leases[name]
	k.mu.Unlock()
	if left := time.Until(l.deadline); left > 0 {
		time.AfterFunc(left, func() { k.expire(name) })
		return
	}
	k.onFree(name, l.owner)
	k.mu.Lock()
	delete(k.leases, name)
	k.mu.Unlock()
}
