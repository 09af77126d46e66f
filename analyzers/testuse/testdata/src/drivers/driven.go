package drivers

import (
	"database/sql/driver"
	"errors"
	"sync"
)

// Prepared is a statement of a driver: database/sql calls its methods one at a time.
type Prepared struct {
	mu     sync.Mutex
	closed chan struct{}
}

func (p *Prepared) Close() error {
	if p.closed == nil {
		return nil
	}
	close(p.closed)
	p.closed = nil
	return nil
}

func (p *Prepared) NumInput() int { return -1 }

func (p *Prepared) Exec([]driver.Value) (driver.Result, error) {
	if p.closed == nil {
		p.closed = make(chan struct{})
	}
	return nil, errors.New("not yet")
}

func (p *Prepared) Query([]driver.Value) (driver.Rows, error) { return nil, errors.New("not yet") }
