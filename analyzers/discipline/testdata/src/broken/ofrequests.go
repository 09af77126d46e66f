package broken

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"time"
)

// Guestbook notes who has been here last.
type Guestbook struct {
	seen map[string]time.Time
}

func (g *Guestbook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.seen[r.RemoteAddr] = time.Now() // want `Guestbook.seen\[\] is changed here by goroutines of which there are many, and no lock is ever held for it`
}

// Turnstile has one goroutine for each connection.
type Turnstile struct {
	inside map[net.Conn]bool
}

// Admit serves until the listener is closed.
func (t *Turnstile) Admit(l net.Listener) error {
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		go t.pass(c)
	}
}

func (t *Turnstile) pass(c net.Conn) {
	t.inside[c] = true // want `Turnstile.inside\[\] is changed here by goroutines of which there are many`
	defer delete(t.inside, c)
	c.Read(make([]byte, 1))
}

// signets is what Signets asks for each connection.
type signets struct {
	made map[string]*tls.Certificate
}

func (s *signets) pick(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	if c, ok := s.made[hello.ServerName]; ok {
		return c, nil
	}
	c := &tls.Certificate{}
	s.made[hello.ServerName] = c // want `signets.made\[\] is changed here by goroutines of which there are many`
	return c, nil
}

// Signets makes the configuration of a server.
func Signets() *tls.Config {
	s := &signets{made: map[string]*tls.Certificate{}}
	return &tls.Config{GetCertificate: s.pick}
}

// Fares is asked by the goroutines of all who dial.
type Fares struct {
	paid map[string]int
}

func (f *Fares) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	f.paid[addr] = len(addr) // want `Fares.paid\[\] is changed here by goroutines of which there are many`
	return net.Dial(network, addr)
}

// Ride makes a client.
func (f *Fares) Ride() *http.Client {
	t := &http.Transport{}
	t.DialContext = f.dial
	return &http.Client{Transport: t}
}
