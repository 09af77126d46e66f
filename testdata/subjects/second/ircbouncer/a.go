package ircbouncer

import (
	"bufio"
	"fmt"
	"net"
	"sync"
)

type Bouncer struct {
	mu      sync.Mutex
	clients map[string]net.Conn
	relay   func(user, line string)
}

func New(relay func(user, line string)) *Bouncer {
	return &Bouncer{clients: make(map[string]net.Conn), relay: relay}
}

func (b *Bouncer) Serve(user string, c net.Conn) error {
	b.mu.Lock()
	old := b.clients[user]
	b.clients[user] = c
	b.mu.Unlock()
	if old != nil {
		fmt.Fprintf(old, "ERROR :replaced by new connection\r\n")
		old.Close()
	}
	defer func() {
		b.mu.Lock()
		delete(b.clients, user)
		b.mu.Unlock()
		c.Close()
	}()

	sc := bufio.NewScanner(c)
	for sc.Scan() {
		b.relay(user, sc.Text())
	}
	return sc.Err()
}

func (b *Bouncer) Notice(user, msg string) bool {
	b.mu.Lock()
	c, ok := b.clients[user]
	b.mu.Unlock()
	if !ok {
		return false
	}
	_, err := fmt.Fprintf(c, "NOTICE %s :%s\r\n", user, msg)
	return err == nil
}

func (b *Bouncer) Online() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.clients)
}
