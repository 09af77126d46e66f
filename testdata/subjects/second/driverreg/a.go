package driverreg

import (
	"errors"
	"fmt"
	"sync"
)

type Driver interface {
	Open(dsn string) (any, error)
}

type Validator interface {
	Validate() error
}

var (
	ErrDuplicate = errors.New("driverreg: duplicate driver")

	driversMu sync.RWMutex
	drivers   = map[string]Driver{}
)

func locked(fn func()) {
	driversMu.Lock()
	defer driversMu.Unlock()
	fn()
}

func Register(name string, d Driver) error {
	var dup bool
	locked(func() {
		_, dup = drivers[name]
	})
	if dup {
		return fmt.Errorf("%w: %s", ErrDuplicate, name)
	}
	if v, ok := d.(Validator); ok {
		if err := v.Validate(); err != nil {
			return err
		}
	}
	locked(func() {
		drivers[name] = d
	})
	return nil
}

func Open(name, dsn string) (any, error) {
	driversMu.RLock()
	d := drivers[name]
	driversMu.RUnlock()
	if d == nil {
		return nil, fmt.Errorf("driverreg: unknown driver %q", name)
	}
	return d.Open(dsn)
}
