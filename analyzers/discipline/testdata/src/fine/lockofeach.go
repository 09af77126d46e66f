package fine

import "sync"

// A Buttery's keys have its lock.
type Buttery struct {
	mu    *sync.Mutex
	slots map[string]any
}

func NewButtery() *Buttery { return &Buttery{mu: new(sync.Mutex), slots: map[string]any{}} }

func (l *Buttery) Open(key string) *Shelfkey { return &Shelfkey{key: key, buttery: l, mu: l.mu} }

type Shelfkey struct {
	key     string
	buttery *Buttery
	mu      *sync.Mutex
}

func (k *Shelfkey) Save(v any) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.buttery.slots[k.key] = v
}

// A Cellar has one key, which it makes with itself.
type Cellar struct{ slots map[string]any }

func NewCellar() *Cellarkey {
	return &Cellarkey{cellar: &Cellar{slots: map[string]any{}}}
}

type Cellarkey struct {
	mu     sync.Mutex
	cellar *Cellar
}

func (k *Cellarkey) Save(key string, v any) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.cellar.slots[key] = v
}
