package ledger

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

var (
	ErrFunds   = errors.New("insufficient funds")
	ErrUnknown = errors.New("unknown account")
)

type Screener interface {
	Screen(ctx context.Context, from, to string, amount int64) error
}

type Ledger struct {
	mu       sync.Mutex
	balances map[string]int64
	screen   Screener
}

func Open(s Screener, initial map[string]int64) *Ledger {
	l := &Ledger{screen: s, balances: make(map[string]int64)}
	for a, n := range initial {
		l.balances[a] = n
	}
	return l
}

func (l *Ledger) Transfer(ctx context.Context, from, to string, amount int64) error {
	l.mu.Lock()
	bal, ok := l.balances[from]
	l.mu.Unlock()
	if !ok {
		return fmt.Errorf("%w: %s", ErrUnknown, from)
	}
	if amount <= 0 || bal < amount {
		return ErrFunds
	}
	if err := l.screen.Screen(ctx, from, to, amount); err != nil {
		return fmt.Errorf("screening: %w", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.balances[from] = bal - amount
	l.balances[to] += amount
	return nil
}

func (l *Ledger) Balance(acct string) (int64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, ok := l.balances[acct]
	if !ok {
		return 0, ErrUnknown
	}
	return b, nil
}
