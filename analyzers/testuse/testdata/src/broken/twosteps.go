package broken

import (
	"errors"

	"containers"
)

var (
	errReused  = errors.New("used before")
	errInvalid = errors.New("invalid")
)

type login struct{ nonce, user string }

// Logins are waited for once each.
type Logins struct {
	waiting *containers.LRU[string, *login]
	used    *containers.Cache
	tries   *containers.Cache
	seen    containers.LRU[string, struct{}]
}

func (l *Logins) Store(in *login) error {
	if _, ok := l.waiting.Get(in.nonce); ok { // want `two goroutines can both come from l.waiting.Get to l.waiting.Add, and both store in.nonce as if it were not there: each of the two locks for itself`
		return errReused
	}
	l.waiting.Add(in.nonce, in)
	return nil
}

func (l *Logins) Take(nonce string) *login {
	if in, ok := l.waiting.Get(nonce); ok { // want `two goroutines can both come from l.waiting.Get to l.waiting.Remove, and both return the same in, which each of them has removed`
		l.waiting.Remove(nonce)
		return in
	}
	return nil
}

func (l *Logins) Use(token string) error {
	_, found := l.used.Get(token) // want `both come from l.used.Get to l.used.Set, and both store token`
	if found {
		return errReused
	}
	if err := check(token); err != nil {
		return err
	}
	l.used.Set(token, true, 60)
	return nil
}

func check(token string) error {
	if token == "" {
		return errInvalid
	}
	return nil
}

func (l *Logins) Fail(user string) int {
	n := 0
	if v, ok := l.tries.Get(user); ok { // want `both come from l.tries.Get to l.tries.Set, and one of what both store for user is lost`
		n = v.(int)
	}
	n++
	l.tries.Set(user, n+1, 60)
	return n
}

func (l *Logins) First(id string) bool {
	if l.seen.Contains(id) { // want `both come from l.seen.Contains to l.seen.Add, and both store id`
		return false
	}
	l.seen.Add(id, struct{}{})
	return true
}
