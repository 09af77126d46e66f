package fine

import (
	"net"
	"sync"
)

// Brewery looks whether it is closed.

type Brewery struct {
	door net.Listener
	mu   sync.Mutex
	all  map[net.Conn]bool
}

func (b *Brewery) Run() error {
	for {
		c, err := b.door.Accept()
		if err != nil {
			return err
		}
		if !b.add(c) {
			c.Close()
			return nil
		}
	}
}

func (b *Brewery) add(c net.Conn) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.all == nil {
		return false
	}
	b.all[c] = true
	return true
}

func (b *Brewery) Close() error {
	b.mu.Lock()
	all := b.all
	b.all = nil
	b.mu.Unlock()
	for c := range all {
		c.Close()
	}
	return b.door.Close()
}

// Distillery begins anew with another map.

type Distillery struct {
	door net.Listener
	mu   sync.Mutex
	all  map[net.Conn]bool
}

func (d *Distillery) Run() error {
	d.mu.Lock()
	d.all = map[net.Conn]bool{}
	d.mu.Unlock()
	for {
		c, err := d.door.Accept()
		if err != nil {
			break
		}
		d.mu.Lock()
		d.all[c] = true
		d.mu.Unlock()
	}
	d.mu.Lock()
	d.all = nil
	d.mu.Unlock()
	return nil
}
