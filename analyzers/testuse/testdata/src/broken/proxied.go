package broken

import (
	"net/http"
	"net/http/httputil"
	"sync"
)

// The Director runs in the goroutine of the request that its proxy was made for: as many at once as there are requests.

type proxiedSession struct{ cancel func() }

type proxiedSessions struct {
	mu sync.RWMutex
	m  map[string]*proxiedSession
}

func (s *proxiedSessions) get(id string) (*proxiedSession, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	sess, ok := s.m[id]
	return sess, ok
}

func (s *proxiedSessions) remove(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.m, id)
}

type proxiedQueue struct {
	mu   sync.Mutex
	used int
}

func (q *proxiedQueue) release() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.used--
}

var (
	proxiedAll   = &proxiedSessions{m: map[string]*proxiedSession{}}
	proxiedPlace proxiedQueue
)

func proxiedServe(w http.ResponseWriter, r *http.Request) {
	(&httputil.ReverseProxy{
		Director: func(r *http.Request) {
			id := r.URL.Query().Get("id")
			sess, ok := proxiedAll.get(id) // want `two goroutines can both pass the test of proxiedAll\.m`
			if ok {
				sess.cancel()
				proxiedAll.remove(id)
				proxiedPlace.release()
			}
		},
	}).ServeHTTP(w, r)
}

func proxiedRegister() { http.HandleFunc("/", proxiedServe) }
