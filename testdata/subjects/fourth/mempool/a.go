package mempool

import (
	"errors"
	"sync/atomic"
)

var ErrFull = errors.New("mempool: byte budget exhausted")

type Tx struct {
	Hash [32]byte
	Raw  []byte
	Fee  int64
}

type Validator func(*Tx) error

type Pool struct {
	budget int64
	used   atomic.Int64
	accept chan *Tx
	check  Validator
}

func New(budget int64, check Validator) *Pool {
	return &Pool{budget: budget, accept: make(chan *Tx, 1024), check: check}
}

func (p *Pool) Reserve(tx *Tx) error {
	size := int64(len(tx.Raw))
	before := p.used.Load()
	if p.used.Add(size) > p.budget {
		p.used.Add(-size)
		return ErrFull
	}
	if err := p.check(tx); err != nil {
		p.used.Store(before)
		return err
	}
	p.accept <- tx
	return nil
}

// Next hands the oldest accepted transaction to the block builder.
func (p *Pool) Next() *Tx {
	tx := <-p.accept
	p.used.Add(-int64(len(tx.Raw)))
	return tx
}

func (p *Pool) Gossip(in <-chan *Tx, workers int, onErr func(*Tx, error)) {
	for range workers {
		go func() {
			for tx := range in {
				if err := p.Reserve(tx); err != nil {
					onErr(tx, err)
				}
			}
		}()
	}
}
