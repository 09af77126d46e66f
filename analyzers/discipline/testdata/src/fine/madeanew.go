package fine

import "sync"

// A Cipher has one lock for all that changes of it.
type Cipher struct {
	mu    sync.Mutex
	key   string
	count int
}

func newCipher(n int) *Cipher { return &Cipher{count: n} }

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

// Tie readies the cipher that it has made.
func (w *Wiring) Tie(key string) {
	if w.cipher == nil {
		w.cipher = newCipher(1)
		w.cipher.key = key
	}
}

func (w *Wiring) Change(key string) {
	w.cipher.Rekey(key)
}
