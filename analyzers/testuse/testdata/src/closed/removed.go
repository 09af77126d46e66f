package closed

import "sync"

type brook struct {
	in   chan int
	over chan struct{}
}

func (s *brook) end() { close(s.over) }

// Streams are found by number, and closed when they are removed.
type Streams struct {
	mu      sync.Mutex
	streams map[int]*brook
	waiting map[int]chan struct{}
}

func (s *Streams) Open(id int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.streams[id] = &brook{in: make(chan int, 1), over: make(chan struct{})}
}

func (s *Streams) Remove(id int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if st, ok := s.streams[id]; ok {
		delete(s.streams, id)
		close(st.in)
	}
}

func (s *Streams) find(id int) *brook {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.streams[id]
}

func (s *Streams) Feed(id, n int) {
	if st := s.find(id); st != nil { // want `st.in can be closed once s.mu is released, and the send then panics: \(\*Streams\).Remove takes the object out of Streams.streams\[\] and closes its channel`
		st.in <- n
	}
}

// FeedOrNot does not wait, which is no help.
func (s *Streams) FeedOrNot(id, n int) {
	s.mu.Lock()
	st, ok := s.streams[id] // as in the function above, which tells of both
	s.mu.Unlock()
	if !ok {
		return
	}
	select {
	case st.in <- n:
	default:
	}
}

// FeedLocked keeps the lock.
func (s *Streams) FeedLocked(id, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if st, ok := s.streams[id]; ok {
		select {
		case st.in <- n:
		default:
		}
	}
}

// Own has made the brook that it sends to, and nobody can have removed it.
func (s *Streams) Own(n int) {
	st := &brook{in: make(chan int, 1)}
	st.in <- n
}

// Ends are told by a channel that nobody closes.
type Ends struct {
	mu   sync.Mutex
	ends map[int]*brook
}

func (e *Ends) Remove(id int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if st, ok := e.ends[id]; ok {
		delete(e.ends, id)
		st.end()
	}
}

func (e *Ends) Feed(id, n int) {
	e.mu.Lock()
	st, ok := e.ends[id]
	e.mu.Unlock()
	if ok {
		select {
		case st.in <- n:
		case <-st.over:
		}
	}
}

// Wait leaves its channel in the map until it is done.
func (s *Streams) Wait(id int) {
	done := make(chan struct{})
	s.mu.Lock()
	s.waiting[id] = done
	s.mu.Unlock()
	<-done
	s.mu.Lock()
	delete(s.waiting, id)
	s.mu.Unlock()
}

func (s *Streams) Answer(id int) {
	s.mu.Lock()
	done, ok := s.waiting[id] // want `done is closed here and left in s.waiting until \(\*Streams\).Wait takes it out: who comes with the same key before finds it there, and closes it a second time`
	s.mu.Unlock()
	if ok {
		close(done)
	}
}

// Answers takes the channel out before it closes it.
type Answers struct {
	mu      sync.Mutex
	waiting map[int]chan struct{}
}

func (a *Answers) Wait(id int) {
	done := make(chan struct{})
	a.mu.Lock()
	a.waiting[id] = done
	a.mu.Unlock()
	<-done
}

func (a *Answers) Drop(id int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.waiting, id)
}

func (a *Answers) Answer(id int) {
	a.mu.Lock()
	done, ok := a.waiting[id]
	delete(a.waiting, id)
	a.mu.Unlock()
	if ok {
		close(done)
	}
}

// Duplex has a lock for each direction, and both are used for the end.
type Duplex struct {
	rmu, wmu sync.Mutex
	end      chan struct{}
	fin      chan struct{}
}

func (d *Duplex) ended() bool {
	select {
	case <-d.end:
		return true
	default:
		return false
	}
}

func (d *Duplex) CloseRead() {
	d.rmu.Lock()
	defer d.rmu.Unlock()
	if !d.ended() { // want `two goroutines can both find d.end open and close it twice: here d.rmu is held, and another lock in \(\*Duplex\).CloseWrite`
		close(d.end)
	}
}

func (d *Duplex) CloseWrite() {
	d.wmu.Lock()
	defer d.wmu.Unlock()
	if d.ended() { // want `here d.wmu is held, and another lock in \(\*Duplex\).CloseRead`
		return
	}
	close(d.end)
}

// FinishRead and FinishWrite have one lock in common.
func (d *Duplex) FinishRead() {
	d.rmu.Lock()
	defer d.rmu.Unlock()
	select {
	case <-d.fin:
	default:
		close(d.fin)
	}
}

func (d *Duplex) FinishWrite() {
	d.wmu.Lock()
	defer d.wmu.Unlock()
	d.rmu.Lock()
	defer d.rmu.Unlock()
	select {
	case <-d.fin:
	default:
		close(d.fin)
	}
}
