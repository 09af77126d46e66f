package ledger

import (
	"context"
	"errors"
)

var (
	ErrFunds   = errors.New("ledger: insufficient funds")
	ErrAccount = errors.New("ledger: no such account")
)

type Ledger struct {
	sem      chan struct{}
	balances map[string]int64
}

func New() *Ledger {
	return &Ledger{sem: make(chan struct{}, 1), balances: map[string]int64{}}
}

func (l *Ledger) acquire(ctx context.Context) error {
	select {
	case l.sem <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l *Ledger) release() { <-l.sem }

func (l *Ledger) Transfer(ctx context.Context, from, to string, cents int64) error {
	if err := l.acquire(ctx); err != nil {
		return err
	}
	defer l.release()
	have, ok := l.balances[from]
	if !ok {
		return ErrAccount
	}
	if have < cents {
		return ErrFunds
	}
	l.balances[from] = have - cents
	l.balances[to] += cents
	return nil
}

func (l *Ledger) Deposit(ctx context.Context, acct string, cents int64) error {
	if err := l.acquire(ctx); err != nil {
		return err
	}
	defer l.release()
	l.balances[acct] += cents
	return nil
}
