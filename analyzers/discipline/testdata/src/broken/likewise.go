package broken

import "sync"

type viewer struct {
	id   int
	news chan struct{}
}

// Screening tells its viewers of news; it looks into the map without the lock in two functions.
type Screening struct {
	sync.Mutex
	viewers map[int]*viewer
	count   int
}

func NewScreening() *Screening { return &Screening{viewers: make(map[int]*viewer)} }

func (s *Screening) Join() *viewer {
	s.Lock()
	defer s.Unlock()
	s.count++
	v := &viewer{id: s.count, news: make(chan struct{})}
	s.viewers[s.count] = v
	return v
}

func (s *Screening) Leave(id int) {
	s.Lock()
	defer s.Unlock()
	close(s.viewers[id].news)
	delete(s.viewers, id)
}

func (s *Screening) Dark() {
	for id := range s.viewers { // want `s.viewers is looked into here without s.Mutex, which all functions hold that change it, as \(\*Screening\).Join does \(likewise in another place\)`
		s.Leave(id)
	}
}

func (s *Screening) Tell() {
	for _, v := range s.viewers {
		v.news <- struct{}{}
	}
}
