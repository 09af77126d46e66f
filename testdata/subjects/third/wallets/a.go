package wallets

import (
	"errors"
	"fmt"
	"sync"
)

var (
	ErrFunds = errors.New("balance too low")
	ErrSame  = errors.New("same wallet")
)

type Wallet struct {
	num int

	mu      sync.Mutex
	balance int64
	moves   int
}

type Book struct {
	wallets []*Wallet
}

func NewBook(opening ...int64) *Book {
	b := &Book{}
	for i, n := range opening {
		b.wallets = append(b.wallets, &Wallet{num: i, balance: n})
	}
	return b
}

func (b *Book) get(i int) (*Wallet, error) {
	if i < 0 || i >= len(b.wallets) {
		return nil, fmt.Errorf("no wallet %d", i)
	}
	return b.wallets[i], nil
}

func lockBoth(x, y *Wallet) (unlock func()) {
	if x.num > y.num {
		x, y = y, x
	}
	x.mu.Lock()
	y.mu.Lock()
	return func() {
		y.mu.Unlock()
		x.mu.Unlock()
	}
}

func (b *Book) Move(from, to int, amount int64) error {
	src, err := b.get(from)
	if err != nil {
		return err
	}
	dst, err := b.get(to)
	if err != nil {
		return err
	}
	if src == dst {
		return ErrSame
	}
	unlock := lockBoth(src, dst)
	defer unlock()
	if amount <= 0 || src.balance < amount {
		return ErrFunds
	}
	src.balance -= amount
	dst.balance += amount
	src.moves++
	dst.moves++
	return nil
}
