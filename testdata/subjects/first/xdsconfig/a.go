package xdsconfig

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"
)

type Snapshot struct {
	Version  int64             `json:"version"`
	Clusters map[string]string `json:"clusters"`
}

type Store struct {
	current atomic.Pointer[Snapshot]
	url     string
}

func NewStore(url string) *Store {
	s := &Store{url: url}
	s.current.Store(&Snapshot{})
	return s
}

func (s *Store) Apply(next *Snapshot) bool {
	if cur := s.current.Load(); cur.Version < next.Version {
		s.current.Store(next)
		return true
	}
	return false
}

func (s *Store) Poll(every time.Duration, stop <-chan struct{}) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
			if err := s.fetch(); err != nil {
				fmt.Println("xdsconfig:", err)
			}
		}
	}
}

func (s *Store) fetch() error {
	resp, err := http.Get(s.url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	snap := new(Snapshot)
	if err := json.NewDecoder(resp.Body).Decode(snap); err != nil {
		return fmt.Errorf("decode: %w", err)
	}
	s.Apply(snap)
	return nil
}

func (s *Store) ServePush(w http.ResponseWriter, r *http.Request) {
	snap := new(Snapshot)
	if err := json.NewDecoder(r.Body).Decode(snap); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.Apply(snap)
}
