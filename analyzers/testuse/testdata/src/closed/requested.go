// Package closed closes channels that others close as well.
package closed

import (
	"net/http"
	"sync"
)

// Admin is asked over HTTP to end.
type Admin struct {
	quit  chan struct{}
	drain chan struct{}
	halt  chan struct{}
	once  sync.Once
	mu    sync.Mutex
	over  bool
	ready chan struct{}
}

// NewAdmin makes an Admin whose handlers are registered.
func NewAdmin(mux *http.ServeMux) *Admin {
	a := &Admin{quit: make(chan struct{}), drain: make(chan struct{}), halt: make(chan struct{}), ready: make(chan struct{})}
	mux.HandleFunc("/quit", a.handleQuit)
	mux.HandleFunc("/drain", a.handleDrain)
	mux.HandleFunc("/halt", a.handleHalt)
	mux.HandleFunc("/once", a.handleOnce)
	mux.HandleFunc("/flag", a.handleFlag)
	mux.HandleFunc("/next", a.handleNext)
	mux.HandleFunc("/recover", a.handleRecover)
	mux.HandleFunc("/literal", func(w http.ResponseWriter, r *http.Request) {
		close(a.halt)
	})
	return a
}

func (a *Admin) handleQuit(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	if err := r.ParseForm(); err != nil {
		return
	}
	close(a.quit) // want `a.quit is closed without a look whether it is closed already, on each request: the second one panics`
}

func (a *Admin) handleDrain(w http.ResponseWriter, r *http.Request) {
	a.startDraining()
	w.WriteHeader(http.StatusAccepted)
}

func (a *Admin) startDraining() {
	close(a.drain) // want `a.drain is closed without a look whether it is closed already, on each request`
}

func (a *Admin) handleOnce(w http.ResponseWriter, r *http.Request) {
	a.once.Do(func() { close(a.quit) })
}

func (a *Admin) handleFlag(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.over {
		a.over = true
		close(a.quit)
	}
}

func (a *Admin) running() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return !a.over
}

// handleHalt asks whoever decides.
func (a *Admin) handleHalt(w http.ResponseWriter, r *http.Request) {
	if !a.running() {
		return
	}
	close(a.halt)
}

// handleNext closes a channel that there is a new one of afterwards.
func (a *Admin) handleNext(w http.ResponseWriter, r *http.Request) {
	close(a.ready)
}

// Renew makes a new one.
func (a *Admin) Renew() {
	a.mu.Lock()
	a.ready = make(chan struct{})
	a.mu.Unlock()
}

func (a *Admin) handleRecover(w http.ResponseWriter, r *http.Request) {
	defer func() { recover() }()
	close(a.quit)
}

var stopAll = make(chan struct{})

func handleStop(w http.ResponseWriter, r *http.Request) {
	close(stopAll) // want `stopAll is closed without a look whether it is closed already, on each request`
}

// stream is made for one request.
type stream struct{ done chan struct{} }

func (s *stream) serve(w http.ResponseWriter, r *http.Request) {
	close(s.done)
}

func (s *stream) finish() { close(s.done) }

func handleStream(w http.ResponseWriter, r *http.Request) {
	s := &stream{done: make(chan struct{})}
	s.serve(w, r)
}

func handleOther(w http.ResponseWriter, r *http.Request) {
	s := &stream{done: make(chan struct{})}
	defer s.finish()
	done := make(chan struct{})
	go func() { <-done }()
	close(done)
}

// Register has a handler that closes a channel of its own function.
func Register(mux *http.ServeMux) <-chan struct{} {
	done := make(chan struct{})
	mux.HandleFunc("/callback", func(w http.ResponseWriter, r *http.Request) {
		close(done)
	})
	mux.HandleFunc("/stop", handleStop)
	mux.HandleFunc("/stream", handleStream)
	mux.HandleFunc("/other", handleOther)
	return done
}
