package broken

import "sync"

// A Cipher has one lock for all that changes of it.
type Cipher struct {
	mu    sync.Mutex
	key   string
	count int
}

var spare = &Cipher{}

func someCipher(n int) *Cipher {
	if n > 0 {
		return &Cipher{count: n}
	}
	return spare
}

func (c *Cipher) Rekey(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.key = key
	c.count++
}

func (c *Cipher) Key() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.key + string(rune(c.count))
}

func (c *Cipher) Use() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count--
}

// A Wiring may be used by several goroutines at the same time.
type Wiring struct {
	cipher *Cipher
}

// Tie may have got one that others have as well.
func (w *Wiring) Tie(key string) {
	if w.cipher == nil {
		w.cipher = someCipher(len(key))
		w.cipher.key = key // want `w.cipher.key is accessed here without a lock, and in \(\*Cipher\).Rekey under c.mu, the one lock of Cipher`
	}
}

func (w *Wiring) Change(key string) {
	w.cipher.Rekey(key)
}
