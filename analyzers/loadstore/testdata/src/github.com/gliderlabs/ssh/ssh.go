// Package ssh stands in for the module of that name: only what the tests mention.
package ssh

// Session is one of a connection.
type Session interface{ User() string }

// Handler is called in a goroutine of its own for each session.
type Handler func(Session)

// Handle sets the handler of the default server.
func Handle(h Handler) {}
