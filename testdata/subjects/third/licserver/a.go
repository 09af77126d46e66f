package licserver

import (
	"errors"
	"net/http"
	"sync/atomic"
)

var errNoSeat = errors.New("all seats are taken")

type Feature struct {
	name  string
	seats int32
	inUse atomic.Int32
}

type Server struct {
	features map[string]*Feature
}

func NewServer(seats map[string]int32) *Server {
	s := &Server{features: make(map[string]*Feature, len(seats))}
	for name, n := range seats {
		s.features[name] = &Feature{name: name, seats: n}
	}
	return s
}

func (f *Feature) checkout() error {
	if n := f.inUse.Add(1); n > f.seats {
		f.inUse.Store(f.seats)
		return errNoSeat
	}
	return nil
}

func (f *Feature) checkin() {
	f.inUse.Add(-1)
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f, ok := s.features[r.PathValue("feature")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	switch r.Method {
	case http.MethodPost:
		if err := f.checkout(); err != nil {
			http.Error(w, err.Error(), http.StatusConflict)
			return
		}
		w.WriteHeader(http.StatusCreated)
	case http.MethodDelete:
		f.checkin()
		w.WriteHeader(http.StatusNoContent)
	default:
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}
