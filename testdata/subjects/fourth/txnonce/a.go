package txnonce

import (
	"errors"
	"sync"
)

type Tx struct {
	From  string
	Nonce uint64
	Data  []byte
}

type Account struct {
	addr string
	mu   sync.Mutex
	next uint64
	free []uint64
}

func NewAccount(addr string, chainNonce uint64) *Account {
	return &Account{addr: addr, next: chainNonce}
}

func (a *Account) nextLocked() uint64 {
	if n := len(a.free); n > 0 {
		v := a.free[n-1]
		a.free = a.free[:n-1]
		return v
	}
	v := a.next
	a.next++
	return v
}

func (a *Account) Build(data []byte) (*Tx, error) {
	if len(data) == 0 {
		return nil, errors.New("empty payload")
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return &Tx{From: a.addr, Nonce: a.nextLocked(), Data: data}, nil
}

func (a *Account) BuildBatch(payloads [][]byte) []*Tx {
	a.mu.Lock()
	txs := make([]*Tx, 0, len(payloads))
	for _, p := range payloads {
		txs = append(txs, &Tx{From: a.addr, Nonce: a.nextLocked(), Data: p})
	}
	a.mu.Unlock()
	return txs
}

func (a *Account) Discard(tx *Tx) {
	a.mu.Lock()
	a.free = append(a.free, tx.Nonce)
	a.mu.Unlock()
}
