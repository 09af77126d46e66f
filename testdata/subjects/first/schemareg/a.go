package schemareg

import (
	"crypto/sha256"
	"errors"
	"sync"
)

type ID uint32

type Registry struct {
	lock   sync.RWMutex
	byHash map[[32]byte]ID
	byID   []string
}

var ErrInvalid = errors.New("schemareg: invalid schema")

func NewRegistry() *Registry {
	return &Registry{byHash: make(map[[32]byte]ID)}
}

func (r *Registry) find(sum [32]byte) (ID, bool) {
	r.lock.RLock()
	defer r.lock.RUnlock()
	id, ok := r.byHash[sum]
	return id, ok
}

func (r *Registry) insert(sum [32]byte, schema string) ID {
	r.lock.Lock()
	defer r.lock.Unlock()
	id := ID(len(r.byID))
	r.byID = append(r.byID, schema)
	r.byHash[sum] = id
	return id
}

func (r *Registry) Register(schema string, validate func(string) bool) (ID, error) {
	sum := sha256.Sum256([]byte(schema))
	id, known := r.find(sum)
	if !known {
		if !validate(schema) {
			return 0, ErrInvalid
		}
		id = r.insert(sum, schema)
	}
	return id, nil
}

func (r *Registry) Schema(id ID) (string, bool) {
	r.lock.RLock()
	defer r.lock.RUnlock()
	if int(id) >= len(r.byID) {
		return "", false
	}
	return r.byID[id], true
}
