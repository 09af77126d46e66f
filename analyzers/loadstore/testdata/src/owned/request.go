package owned

import (
	"errors"
	"net/http"
)

// upload is made for each request.
type upload struct {
	*visit
	parts int
}

type visit struct {
	failed []error
}

func newVisit(r *http.Request) *visit { return &visit{} }

func dispatch(r *http.Request) http.Handler {
	u := &upload{visit: newVisit(r)}
	return http.HandlerFunc(u.put)
}

func (u *upload) put(w http.ResponseWriter, r *http.Request) {
	u.parts++
	u.failed = append(u.failed, errors.New("no"))
}

// counter is made once and serves all requests.
type counter struct {
	visits int
}

func routes(mux *http.ServeMux) {
	c := &counter{}
	mux.HandleFunc("/", c.count)
}

func (c *counter) count(w http.ResponseWriter, r *http.Request) {
	c.visits++ // want `two goroutines can both read c.visits before either stores it`
}

// latest is made for a request and kept for the next ones.
type latest struct {
	hits int
}

type site struct {
	last *latest
}

func (s *site) visit(w http.ResponseWriter, r *http.Request) {
	s.last = &latest{}
	http.HandleFunc("/latest", s.last.hit)
}

func (l *latest) hit(w http.ResponseWriter, r *http.Request) {
	l.hits++ // want `two goroutines can both read l.hits before either stores it`
}
