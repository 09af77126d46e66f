package transferacct

import (
	"errors"
	"io"
	"sync"
)

var ErrQuota = errors.New("transferacct: quota exceeded")

type totals struct {
	in, out int64
}

type Account struct {
	mu     sync.Mutex
	name   string
	quota  int64
	totals totals
}

func NewAccount(name string, quota int64) *Account {
	return &Account{name: name, quota: quota}
}

func (a *Account) Exceeded() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.totals.in+a.totals.out > a.quota
}

func (a *Account) Rollover() (in, out int64) {
	a.mu.Lock()
	in, out = a.totals.in, a.totals.out
	a.totals = totals{}
	a.mu.Unlock()
	return in, out
}

type meteredConn struct {
	io.ReadWriter
	acct *Account
}

func (a *Account) Meter(rw io.ReadWriter) io.ReadWriter {
	return &meteredConn{ReadWriter: rw, acct: a}
}

func (c *meteredConn) Read(p []byte) (int, error) {
	n, err := c.ReadWriter.Read(p)
	c.acct.mu.Lock()
	c.acct.totals.in += int64(n)
	c.acct.mu.Unlock()
	return n, err
}

func (c *meteredConn) Write(p []byte) (int, error) {
	if c.acct.Exceeded() {
		return 0, ErrQuota
	}
	n, err := c.ReadWriter.Write(p)
	t := &c.acct.totals
	t.out += int64(n)
	return n, err
}
