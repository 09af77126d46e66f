package broken

import (
	"sync"
	"time"
)

var tokens = struct {
	sync.RWMutex
	byUser  map[string]time.Time
	evicted time.Time
}{byUser: map[string]time.Time{}}

func renew(user string) {
	tokens.Lock()
	defer tokens.Unlock()
	tokens.byUser[user] = time.Now()
}

// Each call of Token starts another one.
func evict() {
	if len(tokens.byUser) < 10 { // want `two goroutines can both pass the test of tokens.byUser and both delete it: tokens.RWMutex is taken only afterwards`
		return
	}
	tokens.Lock()
	defer tokens.Unlock()
	for user, at := range tokens.byUser {
		if time.Since(at) > time.Hour {
			delete(tokens.byUser, user)
		}
	}
	tokens.evicted = time.Now()
}

// Token gives a token to the user.
func Token(user string) string {
	renew(user)
	go evict()
	return user
}

// Forget takes it away.
func Forget(user string) {
	tokens.Lock()
	defer tokens.Unlock()
	delete(tokens.byUser, user)
}
