// Package offsetstore tracks how far consumer groups have read.
package offsetstore

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

var ErrNegative = errors.New("offsetstore: negative advance")

type Key struct {
	Group     string `json:"group"`
	Topic     string `json:"topic"`
	Partition int32  `json:"partition"`
}

func (k Key) String() string { return fmt.Sprintf("%s/%s/%d", k.Group, k.Topic, k.Partition) }

type entry struct {
	Key    Key   `json:"key"`
	Offset int64 `json:"offset"`
}

// Journal makes entries durable. It may be used by many goroutines.
type Journal interface {
	Append(line []byte) error
}

type Store struct {
	journal Journal

	guard   sync.RWMutex
	offsets map[Key]int64
}

func Open(j Journal, replay io.Reader) (*Store, error) {
	s := &Store{journal: j, offsets: make(map[Key]int64)}
	dec := json.NewDecoder(replay)
	for {
		var e entry
		switch err := dec.Decode(&e); {
		case errors.Is(err, io.EOF):
			return s, nil
		case err != nil:
			return nil, fmt.Errorf("replay: %w", err)
		}
		s.offsets[e.Key] = e.Offset
	}
}

// Position returns the offset of the next record to read.
func (s *Store) Position(k Key) int64 {
	s.guard.RLock()
	defer s.guard.RUnlock()
	return s.offsets[k]
}

// Seek moves the group to an absolute offset.
func (s *Store) Seek(k Key, off int64) error {
	line, err := json.Marshal(entry{Key: k, Offset: off})
	if err != nil {
		return err
	}
	s.guard.Lock()
	defer s.guard.Unlock()
	if err := s.journal.Append(line); err != nil {
		return fmt.Errorf("journal %s: %w", k, err)
	}
	s.offsets[k] = off
	return nil
}

// Advance marks n more records of the partition as done and returns the new position.
// The members of a group call it as they finish their share of a fetch.
func (s *Store) Advance(k Key, n int) (int64, error) {
	if n < 0 {
		return 0, ErrNegative
	}
	pos := s.Position(k)
	if n == 0 {
		return pos, nil
	}
	pos += int64(n)
	if err := s.Seek(k, pos); err != nil {
		return 0, err
	}
	return pos, nil
}

// Lag sums what the group has still to read, given the ends of its partitions.
func (s *Store) Lag(group string, ends map[Key]int64) int64 {
	s.guard.RLock()
	defer s.guard.RUnlock()
	var lag int64
	for k, end := range ends {
		if k.Group != group {
			continue
		}
		lag += max(0, end-s.offsets[k])
	}
	return lag
}
