package fine

import "sync"

// premises have a lock for whatever embeds them.
type premises struct {
	sync.RWMutex
	shut bool
}

// Kiosk is a plain one.
type Kiosk struct {
	premises
	wares map[string]int
}

func (k *Kiosk) Shut() {
	k.Lock()
	defer k.Unlock()
	if k.shut {
		return
	}
	k.shut = true
	clear(k.wares)
}

// Bookstall is a Kiosk that has its own way to shut, under the same lock.
type Bookstall struct {
	Kiosk
	titles []string
}

func (b *Bookstall) Shut() {
	b.Lock()
	defer b.Unlock()
	if b.shut {
		return
	}
	b.shut = true
	b.titles = nil
}
