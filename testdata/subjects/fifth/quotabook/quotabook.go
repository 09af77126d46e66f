// Package quotabook accounts for the disk space of tenants.
package quotabook

import (
	"errors"
	"fmt"
	"log/slog"
	"sync"
)

var ErrOverQuota = errors.New("quotabook: over quota")

type Account struct {
	Limit int64
	Used  int64
}

func (a Account) Free() int64 { return a.Limit - a.Used }

// Source knows the limits and what was in use when the process started.
type Source interface {
	LoadAccounts() (map[string]Account, error)
}

// Book loads its accounts on first use, since most processes never need them.
type Book struct {
	src Source

	ledger   sync.Mutex
	accounts map[string]*Account
}

func New(src Source) *Book { return &Book{src: src} }

func (b *Book) load() (map[string]*Account, error) {
	raw, err := b.src.LoadAccounts()
	if err != nil {
		return nil, fmt.Errorf("load accounts: %w", err)
	}
	m := make(map[string]*Account, len(raw))
	for tenant, a := range raw {
		if a.Used > a.Limit {
			slog.Warn("tenant is over its quota", "tenant", tenant, "used", a.Used, "limit", a.Limit)
		}
		m[tenant] = &a
	}
	return m, nil
}

func (b *Book) ensure() error {
	if b.accounts != nil {
		return nil
	}
	b.ledger.Lock()
	defer b.ledger.Unlock()
	m, err := b.load()
	if err != nil {
		return err
	}
	b.accounts = m
	return nil
}

// Charge takes n bytes out of the tenant's quota.
func (b *Book) Charge(tenant string, n int64) error {
	if err := b.ensure(); err != nil {
		return err
	}
	b.ledger.Lock()
	defer b.ledger.Unlock()
	a, ok := b.accounts[tenant]
	switch {
	case !ok:
		return fmt.Errorf("quotabook: unknown tenant %q", tenant)
	case a.Free() < n:
		return fmt.Errorf("%w: %s wants %d of %d", ErrOverQuota, tenant, n, a.Free())
	}
	a.Used += n
	return nil
}

// Refund gives n bytes back.
func (b *Book) Refund(tenant string, n int64) error {
	if err := b.ensure(); err != nil {
		return err
	}
	b.ledger.Lock()
	defer b.ledger.Unlock()
	if a, ok := b.accounts[tenant]; ok {
		a.Used = max(0, a.Used-n)
	}
	return nil
}

// Report copies all accounts.
func (b *Book) Report() (map[string]Account, error) {
	if err := b.ensure(); err != nil {
		return nil, err
	}
	b.ledger.Lock()
	defer b.ledger.Unlock()
	out := make(map[string]Account, len(b.accounts))
	for t, a := range b.accounts {
		out[t] = *a
	}
	return out, nil
}
