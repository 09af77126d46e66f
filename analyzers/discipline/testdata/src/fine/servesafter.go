package fine

import (
	"errors"
	"net"
	"sync"
)

// Barge stores its pier with the lock held.
type Barge struct {
	mu    sync.Mutex
	pier  net.Listener
	carry func(net.Conn)
}

func NewBarge(carry func(net.Conn)) *Barge { return &Barge{carry: carry} }

func (b *Barge) Serve(pier net.Listener) error {
	b.mu.Lock()
	b.pier = pier
	b.mu.Unlock()
	for {
		c, err := pier.Accept()
		if err != nil {
			return err
		}
		go b.carry(c)
	}
}

func (b *Barge) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.pier == nil {
		return errors.New("no pier")
	}
	return b.pier.Close()
}

// Raft begins in a goroutine what it has stored before.
type Raft struct {
	mu    sync.Mutex
	pier  net.Listener
	carry func(net.Conn)
}

func NewRaft(carry func(net.Conn)) *Raft { return &Raft{carry: carry} }

func (r *Raft) Start(pier net.Listener) {
	r.pier = pier
	go r.loop()
}

func (r *Raft) loop() {
	for {
		c, err := r.pier.Accept()
		if err != nil {
			return
		}
		go r.carry(c)
	}
}

func (r *Raft) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pier == nil {
		return errors.New("no pier")
	}
	return r.pier.Close()
}
