package secretlease

import (
	"errors"
	"sync"
	"time"
)

var ErrGone = errors.New("secret not found or lease ended")

type secret struct {
	value   []byte
	uses    int
	expires time.Time
}

type Vault struct {
	mu      sync.RWMutex
	secrets map[string]*secret
}

func NewVault() *Vault { return &Vault{secrets: make(map[string]*secret)} }

func (v *Vault) Put(name string, value []byte, uses int, ttl time.Duration) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.secrets[name] = &secret{value: value, uses: uses, expires: time.Now().Add(ttl)}
}

func (v *Vault) Read(name string) ([]byte, error) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	s, ok := v.secrets[name]
	if !ok || time.Now().After(s.expires) {
		return nil, ErrGone
	}
	s.uses--
	if s.uses <= 0 {
		delete(v.secrets, name)
	}
	return s.value, nil
}

func (v *Vault) Revoke(name string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	_, ok := v.secrets[name]
	delete(v.secrets, name)
	return ok
}

func (v *Vault) Names() []string {
	v.mu.RLock()
	defer v.mu.RUnlock()
	out := make([]string, 0, len(v.secrets))
	for n := range v.secrets {
		out = append(out, n)
	}
	return out
}
