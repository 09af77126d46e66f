package broken

import (
	"errors"
	"sync"
)

var errLeftBehind = errors.New("gone")

type lane struct {
	owner *Trunk
	data  chan []byte
}

func (l *lane) abandon() { close(l.data) }

// Trunk carries lanes; quit is closed in the end.
type Trunk struct {
	quit   chan struct{}
	once   sync.Once
	mu     sync.Mutex
	laneMu sync.RWMutex
	lanes  map[int]*lane
	next   int
}

// Ended says whether the trunk is closed.
func (t *Trunk) Ended() bool {
	select {
	case <-t.quit:
		return true
	default:
		return false
	}
}

func (t *Trunk) alive() bool {
	select {
	case <-t.quit:
		return false
	default:
	}
	return true
}

// Close ends all lanes.
func (t *Trunk) Close() error {
	t.mu.Lock()
	select {
	case <-t.quit:
		t.mu.Unlock()
		return errLeftBehind
	default:
		close(t.quit)
	}
	t.mu.Unlock()
	t.laneMu.Lock()
	for id := range t.lanes {
		t.lanes[id].abandon()
	}
	t.laneMu.Unlock()
	return nil
}

// Open can come too late.
func (t *Trunk) Open(id int) (*lane, error) {
	if t.Ended() { // want `t.quit can be closed by \(\*Trunk\).Close after it was tested here and before t.lanes is added to, which \(\*Trunk\).Close has walked through by then: what is added is never ended`
		return nil, errLeftBehind
	}
	l := &lane{owner: t, data: make(chan []byte)}
	t.laneMu.Lock()
	t.lanes[id] = l
	t.laneMu.Unlock()
	return l, nil
}

// Join does so where the trunk is alive.
func (t *Trunk) Join(id int) *lane {
	if t.alive() { // want `t.quit can be closed by \(\*Trunk\).Close after it was tested here and before t.lanes is added to`
		l := &lane{owner: t, data: make(chan []byte)}
		t.laneMu.Lock()
		defer t.laneMu.Unlock()
		t.lanes[id] = l
		return l
	}
	return nil
}

// Enter looks again under the lock of the lanes.
func (t *Trunk) Enter(id int) (*lane, error) {
	if t.Ended() {
		return nil, errLeftBehind
	}
	l := &lane{owner: t, data: make(chan []byte)}
	t.laneMu.Lock()
	defer t.laneMu.Unlock()
	if t.Ended() {
		return nil, errLeftBehind
	}
	t.lanes[id] = l
	return l, nil
}

// Attach looks again when the lane is there, and ends it itself.
func (t *Trunk) Attach(id int) (*lane, error) {
	if t.Ended() {
		return nil, errLeftBehind
	}
	l := &lane{owner: t, data: make(chan []byte)}
	t.laneMu.Lock()
	t.lanes[id] = l
	t.laneMu.Unlock()
	if t.Ended() {
		t.laneMu.Lock()
		delete(t.lanes, id)
		t.laneMu.Unlock()
		return nil, errLeftBehind
	}
	return l, nil
}

// Hold looks with the lock of the lanes held.
func (t *Trunk) Hold(id int) error {
	t.laneMu.Lock()
	defer t.laneMu.Unlock()
	if t.Ended() {
		return errLeftBehind
	}
	t.lanes[id] = &lane{owner: t, data: make(chan []byte)}
	return nil
}
