package sqldriver

import (
	"context"
	"database/sql/driver"
	"errors"
	"sync/atomic"
)

type Connector struct {
	drv    driver.Driver
	dsn    string
	opened int64
	failed int64
}

func NewConnector(d driver.Driver, dsn string) (*Connector, error) {
	if dsn == "" {
		return nil, errors.New("sqldriver: empty dsn")
	}
	return &Connector{drv: d, dsn: dsn}, nil
}

func (c *Connector) Connect(ctx context.Context) (driver.Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	conn, err := c.drv.Open(c.dsn)
	if err != nil {
		atomic.AddInt64(&c.failed, 1)
		return nil, err
	}
	atomic.AddInt64(&c.opened, 1)
	return conn, nil
}

func (c *Connector) Driver() driver.Driver { return c.drv }

// ResetStats returns the connections opened since the last reset.
func (c *Connector) ResetStats() (opened, failed int64) {
	opened = c.opened
	c.opened = 0
	failed = atomic.SwapInt64(&c.failed, 0)
	return opened, failed
}

type StatsSink func(opened, failed int64)

func (c *Connector) Collect(ticks <-chan struct{}, sink StatsSink) {
	go func() {
		for range ticks {
			sink(c.ResetStats())
		}
	}()
}
