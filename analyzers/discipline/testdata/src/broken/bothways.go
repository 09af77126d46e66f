package broken

import (
	"errors"
	"net"
	"time"
)

// saluting is a connection on which whoever comes first says hello, be it who reads or who writes.
type saluting struct {
	net.Conn
	saluted bool
	used    time.Time
	over    bool
	got     int
}

func (c *saluting) salute() error {
	if c.saluted {
		return nil
	}
	c.saluted = true // testuse tells of it
	_, err := c.Conn.Write([]byte("hello\n"))
	return err
}

func (c *saluting) Read(p []byte) (int, error) {
	if err := c.salute(); err != nil {
		return 0, err
	}
	c.used = time.Now() // want `c.used is changed here in a call of Read, and another goroutine that calls Write meanwhile, as package net allows, changes it: neither holds a lock`
	n, err := c.Conn.Read(p)
	c.got += n
	return n, err
}

func (c *saluting) Write(p []byte) (int, error) {
	if c.over {
		return 0, errors.New("over")
	}
	if err := c.salute(); err != nil {
		return 0, err
	}
	c.used = time.Now()
	return c.Conn.Write(p)
}

func (c *saluting) Close() error {
	c.over = true // want `c.over is changed here in a call of Close, and another goroutine that calls Write meanwhile, as package net allows, reads it: neither holds a lock`
	return c.Conn.Close()
}
