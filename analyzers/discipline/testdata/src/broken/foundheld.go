package broken

import (
	"errors"
	"os"
	"sync"
)

// A volume is a file of a shelf.
type volume struct {
	first, size int64
	file        *os.File
}

// Shelf has volumes in order; find is called with the lock held.
type Shelf struct {
	lock    sync.RWMutex
	volumes []*volume
}

func (s *Shelf) Put(p []byte) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	v := s.volumes[len(s.volumes)-1]
	n, err := v.file.WriteAt(p, v.size)
	v.size += int64(n)
	return err
}

func (s *Shelf) find(off int64) (*volume, error) {
	for i := range s.volumes {
		if off < s.volumes[i].first+s.volumes[i].size {
			return s.volumes[i], nil
		}
	}
	return nil, errors.New("no such volume")
}

func (s *Shelf) Read(p []byte, off int64) (int, error) {
	s.lock.RLock()
	v, err := s.find(off)
	if err != nil {
		s.lock.RUnlock()
		return 0, err
	}
	s.lock.RUnlock()
	return v.file.ReadAt(p, off-v.first) // want `v.file is read here after s.lock was released, under which it was found in s.volumes`
}

func (s *Shelf) Drop() error {
	s.lock.Lock()
	defer s.lock.Unlock()
	v := s.volumes[0]
	s.volumes = s.volumes[1:]
	err := v.file.Close()
	v.file = nil
	return err
}
