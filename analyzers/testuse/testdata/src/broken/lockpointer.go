package broken

import "sync"

// Limits embeds a pointer to a lock, which is made with it all the same: copies share it,
// and the map.
type Limits struct {
	*sync.RWMutex
	chats map[string]*int
	fresh func() *int
}

func NewLimits() *Limits {
	return &Limits{RWMutex: new(sync.RWMutex), chats: map[string]*int{}, fresh: func() *int { return new(int) }}
}

func (l *Limits) Reset() {
	l.Lock()
	l.chats = map[string]*int{}
	l.Unlock()
}

func (l Limits) Wait(chat string) *int {
	l.RLock()
	defer l.RUnlock()
	n, ok := l.chats[chat] // want `two goroutines can both pass the test of l.chats\[chat\] and both set it: l.RWMutex is held for reading only, which others can do at the same time`
	if !ok {
		n = l.fresh()
		l.chats[chat] = n
	}
	return n
}
