package broken

import (
	"errors"
	"sync"
	"sync/atomic"
)

var errUnmapped = errors.New("not mapped")

// Mapping can be mapped and unmapped.
type Mapping struct {
	mu     sync.RWMutex
	mapped atomic.Bool
	bytes  []byte
}

func (m *Mapping) Map(b []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.bytes = b
	m.mapped.Store(true)
}

func (m *Mapping) At(i int) (byte, error) {
	if !m.mapped.Load() { // want `m.mapped is looked at before m.mu is taken: by then \(\*Mapping\).Unmap can have unset it and taken m.bytes away, which is used here`
		return 0, errUnmapped
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.bytes[i], nil
}

func (m *Mapping) Unmap() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.mapped.CompareAndSwap(true, false) {
		m.bytes = nil
	}
}

// Downlink does the same by methods that do not lock.
type Downlink struct {
	mu   sync.Mutex
	up   uint32
	send func(string)
	log  []string
}

func (u *Downlink) isUp() bool { return atomic.LoadUint32(&u.up) == 1 }

func (u *Downlink) Raise(send func(string)) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.send = send
	u.log = []string{"raised"}
	atomic.StoreUint32(&u.up, 1)
}

func (u *Downlink) Send(s string) error {
	if !u.isUp() { // want `u.up( \(in u.isUp\))? is looked at before u.mu is taken: by then \(\*Downlink\).Drop can have unset it and taken u.send away, which is used here`
		return errUnmapped
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.send(s)
	return nil
}

func (u *Downlink) oldest() string { return u.log[0] }

func (u *Downlink) Oldest() (string, error) {
	if up := u.isUp(); up { // want `u.up( \(in u.isUp\))? is looked at before u.mu is taken: by then \(\*Downlink\).Drop can have unset it and taken u.log away, which is used here`
		u.mu.Lock()
		defer u.mu.Unlock()
		return u.oldest(), nil
	}
	return "", errUnmapped
}

func (u *Downlink) down() {
	atomic.StoreUint32(&u.up, 0)
	u.send, u.log = nil, nil
}

func (u *Downlink) Drop() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.down()
}
