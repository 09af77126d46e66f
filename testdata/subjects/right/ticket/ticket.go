// Package ticket ends a server by a request that has the one ticket.
package ticket

import (
	"net/http"
	"net/rpc"
	"sync"
)

var tickets sync.Map

// redeem takes the ticket, if it is one; it is gone then.
func redeem(ticket string) bool {
	_, was := tickets.LoadAndDelete(ticket)
	return was
}

// Control is served by net/rpc.
type Control struct{ quit chan struct{} }

// Args are those of Shutdown.
type Args struct{ Ticket string }

// Shutdown ends the server. Right: one ticket is issued for each Control, and redeem takes it
// in one step: the second request gets nothing.
func (c *Control) Shutdown(args Args, reply *bool) error {
	if !redeem(args.Ticket) {
		return nil
	}
	close(c.quit)
	*reply = true
	return nil
}

// Serve registers a Control.
func Serve(s *rpc.Server, ticket string) (<-chan struct{}, error) {
	c := &Control{quit: make(chan struct{})}
	tickets.Store(ticket, true)
	return c.quit, s.Register(c)
}

// Admin is the same by HTTP.
type Admin struct{ quit chan struct{} }

// NewAdmin issues the ticket.
func NewAdmin(ticket string) *Admin {
	tickets.Store(ticket, true)
	return &Admin{quit: make(chan struct{})}
}

// ServeHTTP ends it.
func (a *Admin) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !redeem(r.FormValue("ticket")) {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	close(a.quit)
}
