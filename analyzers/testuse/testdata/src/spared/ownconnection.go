package spared

import (
	"fmt"
	"math/rand"
	"net"
	"sync"
)

// A Gateway has a session for each connection, whose requests come one after the other.
type Gateway struct {
	mu       sync.Mutex
	sessions map[string]gatewaySession
	byUser   map[string]gatewaySession
	servers  []string
}

type gatewaySession struct {
	id       string
	down, up net.Conn
}

func connectionName(conn net.Conn) string {
	return fmt.Sprint(conn.LocalAddr(), conn.RemoteAddr())
}

func (g *Gateway) Session(conn net.Conn) (gatewaySession, error) {
	id := connectionName(conn)
	g.mu.Lock()
	s, ok := g.sessions[id]
	g.mu.Unlock()
	if !ok {
		up, err := net.Dial("tcp", g.best())
		go g.ping(up)
		if err != nil {
			return gatewaySession{}, err
		}
		s = gatewaySession{id: id, down: conn, up: up}
		g.mu.Lock()
		g.sessions[s.id] = s
		g.mu.Unlock()
	}
	return s, nil
}

func (g *Gateway) best() string { return g.servers[rand.Intn(len(g.servers))] }

func (g *Gateway) ping(up net.Conn) { _, _ = up.Write([]byte("ping")) }

func (g *Gateway) Gone(conn net.Conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.sessions, connectionName(conn))
}

// UserSession is of a user, who may have several connections.
func (g *Gateway) UserSession(conn net.Conn, user string) (gatewaySession, error) {
	id := conn.LocalAddr().String() + user
	g.mu.Lock()
	s, ok := g.byUser[id] // want `g\.byUser`
	g.mu.Unlock()
	if !ok {
		up, err := net.Dial("tcp", g.best())
		go g.ping(up)
		if err != nil {
			return gatewaySession{}, err
		}
		s = gatewaySession{id: id, down: conn, up: up}
		g.mu.Lock()
		g.byUser[s.id] = s
		g.mu.Unlock()
	}
	return s, nil
}
