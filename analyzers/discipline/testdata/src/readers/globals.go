package readers

import "sync"

type ring struct {
	at    int
	items []string
}

func (r *ring) get(i int) string {
	r.at = i
	return r.items[i]
}

func (r *ring) put(v string) { r.items = append(r.items, v) }

var (
	recentLock sync.RWMutex
	recently   = &ring{}
)

func Recent(i int, make func(int) string) string {
	recentLock.RLock()
	if i < 10 {
		v := recently.get(i) // want `recently.get changes recently, and recentLock is held for reading only`
		recentLock.RUnlock()
		return v
	}
	recentLock.RUnlock()
	v := make(i)
	recentLock.Lock()
	recently.put(v)
	recentLock.Unlock()
	return v
}
