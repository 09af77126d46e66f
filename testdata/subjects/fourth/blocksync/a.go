package blocksync

import (
	"errors"
	"sync"
)

type Block struct {
	Height uint64
	Parent [32]byte
}

type Syncer struct {
	mu     sync.Mutex
	height uint64
	bump   chan struct{}
	apply  func(Block) error
}

func NewSyncer(start uint64, apply func(Block) error) *Syncer {
	return &Syncer{height: start, bump: make(chan struct{}), apply: apply}
}

func (s *Syncer) Advance(b Block) error {
	if err := s.apply(b); err != nil {
		return err
	}
	s.mu.Lock()
	if b.Height != s.height+1 {
		s.mu.Unlock()
		return errors.New("blocksync: gap in chain")
	}
	s.height = b.Height
	s.mu.Unlock()
	select {
	case s.bump <- struct{}{}:
	default:
	}
	return nil
}

// WaitHeight blocks until the chain has reached h.
func (s *Syncer) WaitHeight(h uint64) {
	for {
		s.mu.Lock()
		reached := s.height >= h
		s.mu.Unlock()
		if reached {
			return
		}
		<-s.bump
	}
}

func (s *Syncer) Follow(blocks <-chan Block, onErr func(error)) {
	go func() {
		for b := range blocks {
			if err := s.Advance(b); err != nil {
				onErr(err)
			}
		}
	}()
}
