package keypairs

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"sync/atomic"
	"time"
)

type pair struct {
	kid  string
	priv ed25519.PrivateKey
}

type Store struct {
	cur  atomic.Pointer[pair]
	stop chan struct{}
}

func NewStore(every time.Duration) (*Store, error) {
	s := &Store{stop: make(chan struct{})}
	if err := s.rotate(); err != nil {
		return nil, err
	}
	go func() {
		t := time.NewTicker(every)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				_ = s.rotate()
			case <-s.stop:
				return
			}
		}
	}()
	return s, nil
}

func (s *Store) rotate() error {
	pub, priv, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return fmt.Errorf("rotate: %w", err)
	}
	s.cur.Store(&pair{kid: hex.EncodeToString(pub[:4]), priv: priv})
	return nil
}

func (s *Store) Sign(msg []byte) (kid string, sig []byte) {
	p := s.cur.Load()
	return p.kid, ed25519.Sign(p.priv, msg)
}
