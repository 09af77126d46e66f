package chathub

import (
	"bufio"
	"fmt"
	"net"
	"sync"
)

type client struct {
	nick string
	conn net.Conn
	mu   sync.Mutex
}

func (c *client) write(line string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := fmt.Fprintln(c.conn, line)
	return err
}

type Hub struct {
	clients sync.Map
}

func (h *Hub) Listen(ln net.Listener) error {
	for {
		c, err := ln.Accept()
		if err != nil {
			return err
		}
		go h.serve(c)
	}
}

func (h *Hub) serve(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewScanner(conn)
	if !in.Scan() {
		return
	}
	c := &client{nick: in.Text(), conn: conn}
	if old, loaded := h.clients.Swap(c.nick, c); loaded {
		old.(*client).conn.Close()
	}
	defer h.clients.Delete(c.nick)
	for in.Scan() {
		h.broadcast(c.nick + ": " + in.Text())
	}
}

func (h *Hub) broadcast(line string) {
	h.clients.Range(func(_, v any) bool {
		if err := v.(*client).write(line); err != nil {
			v.(*client).conn.Close()
		}
		return true
	})
}
