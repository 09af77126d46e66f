package fine

import (
	"crypto/sha256"
	"sync"
)

// The result is stored if it is still of the same text, or nobody throws it away.

type Folio struct {
	mu   sync.Mutex
	text []byte
	rev  int
	sum  []byte
	name string
	id   []byte
}

func NewFolio(name string) *Folio { return &Folio{name: name} }

func (f *Folio) Set(text []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.text, f.sum = text, nil
	f.rev++
}

func (f *Folio) Sum() []byte {
	f.mu.Lock()
	if f.sum != nil {
		defer f.mu.Unlock()
		return f.sum
	}
	text, rev := f.text, f.rev
	f.mu.Unlock()
	sum := sha256.Sum256(text)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.rev == rev {
		f.sum = sum[:]
	}
	return sum[:]
}

func (f *Folio) ID() []byte {
	f.mu.Lock()
	id, name := f.id, f.name
	f.mu.Unlock()
	if id != nil {
		return id
	}
	sum := sha256.Sum256([]byte(name))
	f.mu.Lock()
	f.id = sum[:]
	f.mu.Unlock()
	return sum[:]
}

func (f *Folio) Under() []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.sum == nil {
		sum := sha256.Sum256(f.text)
		f.sum = sum[:]
	}
	return f.sum
}
