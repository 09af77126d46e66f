package fine

import "sync"

// Ride stores first, or does both under a lock that those who wait take as well.
type Ride struct {
	done chan struct{}
	err  error

	mu   sync.Mutex
	over chan struct{}
	why  error

	left    chan struct{}
	name    string
	stopped chan struct{}
	ended   bool
	conn    *Ride
}

func (r *Ride) finish(err error) {
	r.err = err
	close(r.done)
}

func (r *Ride) Wait() error {
	<-r.done
	return r.err
}

func (r *Ride) Stop(why error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.over)
	r.why = why
}

func (r *Ride) Why() error {
	<-r.over
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.why
}

// Leave closes when all else is done.
func (r *Ride) Leave(name string) {
	defer close(r.left)
	r.name = name
}

func (r *Ride) Left() string {
	<-r.left
	return r.name
}

// Halt takes back what nobody needs any more.
func (r *Ride) Halt() {
	close(r.stopped)
	r.ended = true
	r.conn = nil
}

func (r *Ride) Halted() *Ride {
	<-r.stopped
	return r.conn
}

// Go runs it.
func (r *Ride) Go() {
	go r.finish(nil)
	go r.Leave("")
}
