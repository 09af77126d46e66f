package kvupdate

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

var ErrRetry = errors.New("retry")

type item struct {
	val []byte
	rev uint64
}

type Store struct {
	lk    *sync.Mutex
	items map[string]item
}

func NewStore(lk *sync.Mutex) *Store {
	return &Store{lk: lk, items: make(map[string]item)}
}

func (s *Store) Get(key string) ([]byte, uint64) {
	s.lk.Lock()
	defer s.lk.Unlock()
	it := s.items[key]
	return it.val, it.rev
}

func (s *Store) put(key string, val []byte) uint64 {
	s.lk.Lock()
	defer s.lk.Unlock()
	rev := s.items[key].rev + 1
	s.items[key] = item{val, rev}
	return rev
}

// Update calls fn until it no longer asks for a retry.
func (s *Store) Update(ctx context.Context, key string, fn func([]byte) ([]byte, error)) (uint64, error) {
	for try := 0; try < 5; try++ {
		cur, rev := s.Get(key)
		next, err := fn(cur)
		if errors.Is(err, ErrRetry) {
			select {
			case <-time.After(time.Duration(try) * 10 * time.Millisecond):
				continue
			case <-ctx.Done():
				return rev, ctx.Err()
			}
		}
		if err != nil {
			return rev, err
		}
		return s.put(key, next), nil
	}
	return 0, fmt.Errorf("update %s: too many retries", key)
}
