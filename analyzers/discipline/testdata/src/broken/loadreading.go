package broken

import (
	"sync"
	"time"
)

// Vault remembers when each thing was last asked for.
type Vault struct {
	lock  *sync.RWMutex
	items map[string]string
	asked map[string]time.Time
}

func (v *Vault) Load(key string) (string, bool) {
	v.lock.RLock()
	item, ok := v.items[key]
	if ok {
		v.asked[key] = time.Now() // want `v.asked\[key\] is written here with v.lock held for reading only, which others can do at the same time`
	}
	v.lock.RUnlock()
	return item, ok
}

func (v *Vault) Store(key, item string) {
	v.lock.Lock()
	v.items[key] = item
	v.asked[key] = time.Now()
	v.lock.Unlock()
}

func (v *Vault) Sweep(before time.Time) {
	v.lock.Lock()
	defer v.lock.Unlock()
	for key, at := range v.asked {
		if at.Before(before) {
			delete(v.items, key)
			delete(v.asked, key)
		}
	}
}
