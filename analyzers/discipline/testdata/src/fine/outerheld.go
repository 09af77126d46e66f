package fine

import "sync"

// A Commissionaire has two locks: who holds the outer one for writing has the others kept out of what the inner
// one guards.
type Commissionaire struct {
	guests []string
	banned map[string]int
	own    sync.RWMutex
	all    sync.RWMutex
}

func NewCommissionaire() *Commissionaire { return &Commissionaire{banned: map[string]int{}} }

func (u *Commissionaire) setBanned(f string) {
	u.own.Lock()
	defer u.own.Unlock()
	u.banned[f] = 1
}

func (u *Commissionaire) isBanned(f string) bool {
	u.own.Lock()
	defer u.own.Unlock()
	t, ok := u.banned[f]
	if ok && t > 3 {
		delete(u.banned, f)
	}
	return ok
}

func (u *Commissionaire) First() string {
	u.all.RLock()
	defer u.all.RUnlock()
	for _, f := range u.guests {
		if !u.isBanned(f) {
			return f
		}
	}
	return ""
}

func (u *Commissionaire) Fetch() string {
	u.all.RLock()
	defer u.all.RUnlock()
	for _, f := range u.guests {
		if u.isBanned(f) {
			continue
		}
		if len(f) > 3 {
			u.setBanned(f)
		}
	}
	return ""
}

func (u *Commissionaire) Update(l []string) {
	u.all.Lock()
	defer u.all.Unlock()
	n := make(map[string]int, len(u.banned))
	for f, t := range u.banned {
		if !u.isBanned(f) {
			continue
		}
		n[f] = t
	}
	u.guests = l
	u.banned = n
}
