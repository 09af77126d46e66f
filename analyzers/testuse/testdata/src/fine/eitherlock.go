package fine

import "sync"

// Vouchers are deleted with the lock held for writing only.
type Vouchers struct {
	sync.RWMutex
	codes map[string][]byte
}

func (v *Vouchers) Put(id string, code []byte) {
	v.Lock()
	v.codes[id] = code
	v.Unlock()
}

func (v *Vouchers) Get(id string, clear bool) []byte {
	if !clear {
		v.RLock()
		defer v.RUnlock()
	} else {
		v.Lock()
		defer v.Unlock()
	}
	code, ok := v.codes[id]
	if !ok {
		return nil
	}
	if clear {
		delete(v.codes, id)
	}
	return code
}
