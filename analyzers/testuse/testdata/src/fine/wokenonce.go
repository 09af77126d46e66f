package fine

import "sync"

type dquayState int

const (
	dquayFree dquayState = iota
	dquayDredged
	dquayGone
)

// DredgedQuay is dredged by one at a time.
type DredgedQuay struct {
	mu      sync.Mutex
	state   dquayState
	dredged chan struct{}
	inUse   bool
	left    chan struct{}
	waited  bool
}

// Who has waited looks again.
func (q *DredgedQuay) Dredge() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.state == dquayDredged {
		done := q.dredged
		q.mu.Unlock()
		<-done
		q.mu.Lock()
	}
	if q.state == dquayGone {
		return false
	}
	q.state = dquayDredged
	q.dredged = make(chan struct{})
	return true
}

// Or gives up if it was taken.
func (q *DredgedQuay) Moor() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.inUse {
		left := q.left
		q.mu.Unlock()
		<-left
		q.mu.Lock()
	}
	if q.inUse {
		return false
	}
	q.inUse = true
	q.left = make(chan struct{})
	return true
}

func (q *DredgedQuay) Leave() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.inUse = false
	q.state = dquayFree
	close(q.left)
	close(q.dredged)
}

// What is set after the wait is something else.
func (q *DredgedQuay) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.state == dquayDredged {
		done := q.dredged
		q.mu.Unlock()
		<-done
		q.mu.Lock()
	}
	q.state = dquayGone
}
