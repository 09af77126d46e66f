package broken

import (
	"errors"
	"sync"
)

type oneTrack struct {
	hash  uint64
	plays int
}

type trackLane struct {
	sync.RWMutex
	m map[uint64]*oneTrack
}

// TrackLanes are chosen by a method.
type TrackLanes struct{ all []*trackLane }

func (l *TrackLanes) trackLane(h uint64) *trackLane {
	n := uint64(len(l.all))
	return l.all[h%n]
}

func (l *TrackLanes) Get(h uint64) *oneTrack {
	x := l.trackLane(h)
	x.RLock()
	defer x.RUnlock()
	return x.m[h]
}

func (l *TrackLanes) Set(h uint64, t *oneTrack) {
	x := l.trackLane(h)
	x.Lock()
	defer x.Unlock()
	x.m[h] = t
}

type TrackPlayer struct{ trackLanes *TrackLanes }

func (p *TrackPlayer) Track(h uint64) *oneTrack {
	if t := p.trackLanes.Get(h); t != nil { // want `two goroutines can both pass the test of p.trackLanes.all\[trackLane\(h\)\].m \(in p.trackLanes.Get\) and both set it: p.trackLanes.all\[trackLane\(h\)\].RWMutex is held for reading first`
		return t
	}
	t := &oneTrack{hash: h}
	p.trackLanes.Set(h, t)
	t.plays++
	return t
}

// byHash has methods of its own.
type byHash map[uint64]*oneTrack

func (m byHash) get(h uint64) *oneTrack    { return m[h] }
func (m byHash) set(h uint64, t *oneTrack) { m[h] = t }

type TrackAlbum struct {
	mu     sync.RWMutex
	tracks byHash
}

func (a *TrackAlbum) Get(h uint64) *oneTrack {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.tracks.get(h)
}

func (a *TrackAlbum) Set(h uint64, t *oneTrack) {
	a.mu.Lock()
	a.tracks.set(h, t)
	a.mu.Unlock()
}

type TrackRecorder struct{ album *TrackAlbum }

func (r *TrackRecorder) Track(h uint64) *oneTrack {
	if t := r.album.Get(h); t != nil { // want `two goroutines can both pass the test of r.album.tracks \(in r.album.Get\) and both set it: r.album.mu is held for reading first`
		return t
	}
	t := &oneTrack{hash: h}
	r.album.Set(h, t)
	t.plays++
	return t
}

// A FrontDesk hands each phoneLetter to a goroutine of its own.
type FrontDesk struct {
	calls *callStore
	take  func(*phoneLetter, *phoneCall)
}

type phoneLetter struct{ key string }

type phoneCall struct {
	mu  sync.Mutex
	key string
	n   int
}

type callStore struct {
	mu  sync.RWMutex
	all map[string]*phoneCall
}

func (s *callStore) get(k string) (*phoneCall, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	c, ok := s.all[k]
	return c, ok
}

func (s *callStore) put(k string, c *phoneCall) {
	s.mu.Lock()
	s.all[k] = c
	s.mu.Unlock()
}

func NewFrontDesk(on func(func(any)), take func(*phoneLetter, *phoneCall)) *FrontDesk {
	f := &FrontDesk{calls: &callStore{all: map[string]*phoneCall{}}, take: take}
	on(f.handle)
	return f
}

func (f *FrontDesk) handle(msg any) {
	if l, ok := msg.(*phoneLetter); ok {
		f.receive(l)
	}
}

func (f *FrontDesk) receive(l *phoneLetter) {
	go f.answer(l)
}

func (f *FrontDesk) answer(l *phoneLetter) error {
	if l.key == "" {
		return errors.New("no key")
	}
	if c, ok := f.calls.get(l.key); ok { // want `two goroutines can both pass the test of f.calls.all \(in f.calls.get\) and both set it: f.calls.mu is held for reading first`
		c.n++
		return nil
	}
	c := &phoneCall{key: l.key}
	f.calls.put(l.key, c)
	f.take(l, c)
	return nil
}
