package broken

import "sync"

type hound struct {
	asleep bool
	fed    int
}

// A Doghouse's lock guards its hounds as well.
type Doghouse struct {
	mu     sync.RWMutex
	hounds map[string]*hound
}

func (k *Doghouse) Next() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	for name, h := range k.hounds {
		if !h.asleep {
			h.fed++
			return name
		}
	}
	return ""
}

func (k *Doghouse) Wake(name string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if h, ok := k.hounds[name]; ok {
		h.asleep = false
	}
}

func (k *Doghouse) Calm(name string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	h, ok := k.hounds[name]
	if ok && !h.asleep {
		h.asleep = true
		h.fed = 0
	}
}

func (k *Doghouse) CalmAll() {
	for _, h := range k.hounds {
		h.asleep = true // want `h.asleep is written here without the lock that all other functions hold for such fields: k.mu in \(\*Doghouse\).Wake`
	}
}
