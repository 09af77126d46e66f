package walletnonce

import (
	"context"
	"errors"
	"math/big"
	"sync"
)

type Tx struct {
	Nonce uint64
	To    string
	Value *big.Int
}

type Backend interface {
	Broadcast(ctx context.Context, tx Tx) (hash string, err error)
}

type account struct {
	mu    sync.RWMutex
	nonce uint64
}

func (a *account) Nonce() uint64 {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.nonce
}

func (a *account) SetNonce(n uint64) {
	a.mu.Lock()
	a.nonce = n
	a.mu.Unlock()
}

type Wallet struct {
	acct    *account
	backend Backend
}

func NewWallet(b Backend, nonce uint64) *Wallet {
	return &Wallet{acct: &account{nonce: nonce}, backend: b}
}

func (w *Wallet) SendTx(ctx context.Context, to string, value *big.Int) (string, error) {
	if value.Sign() < 0 {
		return "", errors.New("walletnonce: negative value")
	}
	n := w.acct.Nonce()
	tx := Tx{Nonce: n, To: to, Value: value}
	hash, err := w.backend.Broadcast(ctx, tx)
	if err != nil {
		return "", err
	}
	w.acct.SetNonce(n + 1)
	return hash, nil
}
