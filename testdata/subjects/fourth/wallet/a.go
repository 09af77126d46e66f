package wallet

import (
	"errors"
	"fmt"
	"sync"
)

var ErrFunds = errors.New("insufficient funds")

type Signer interface {
	Sign(to string, amount uint64) ([]byte, error)
}

type Wallet struct {
	mu      sync.RWMutex
	balance uint64
	signer  Signer
}

func Open(initial uint64, s Signer) *Wallet {
	return &Wallet{balance: initial, signer: s}
}

func (w *Wallet) Balance() uint64 {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.balance
}

func (w *Wallet) setBalance(v uint64) {
	w.mu.Lock()
	w.balance = v
	w.mu.Unlock()
}

func (w *Wallet) Deposit(v uint64) {
	w.mu.Lock()
	w.balance += v
	w.mu.Unlock()
}

func (w *Wallet) Spend(to string, amount, fee uint64) ([]byte, error) {
	have := w.Balance()
	if have < amount+fee {
		return nil, fmt.Errorf("spend %d: %w", amount, ErrFunds)
	}
	raw, err := w.signer.Sign(to, amount)
	if err != nil {
		return nil, err
	}
	w.setBalance(have - amount - fee)
	return raw, nil
}
