package broken

import "sync"

// A Buttery has no lock. Those who open it have one each.
type Buttery struct{ slots map[string]any }

func NewButtery() *Buttery { return &Buttery{slots: map[string]any{}} }

func (l *Buttery) Open(key string) *Shelfkey { return &Shelfkey{key: key, buttery: l} }

type Shelfkey struct {
	key     string
	buttery *Buttery
	mu      sync.Mutex
}

func (k *Shelfkey) Save(v any) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.buttery.slots[k.key] = v // want `k.buttery.slots is changed here under k.mu, which is of this Shelfkey alone: others that have the same Buttery have locks of their own`
}

func (k *Shelfkey) Load() any {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.buttery.slots[k.key]
}
