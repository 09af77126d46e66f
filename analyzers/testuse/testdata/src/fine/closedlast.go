package fine

import (
	"net"
	"sync"
)

// Relay2 hands lines on; who ends it a second time finds it ended.
type Relay2 struct {
	mu      sync.Mutex
	outputs map[string]net.Conn
	input   net.Listener
	ended   bool
	over    chan struct{}
}

// NewRelay2 starts it.
func NewRelay2(input net.Listener) *Relay2 {
	r := &Relay2{outputs: map[string]net.Conn{}, input: input, over: make(chan struct{})}
	go r.waitOver()
	return r
}

func (r *Relay2) waitOver() {
	<-r.over
	println("over")
}

// Attach adds an output.
func (r *Relay2) Attach(name string, c net.Conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.outputs[name] = c
}

// Stop ends it.
func (r *Relay2) Stop() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return nil
	}
	r.ended = true
	defer func() {
		println("stopped")
		close(r.over)
	}()
	return r.input.Close()
}

// Relay3 survives a second end.
type Relay3 struct {
	mu      sync.Mutex
	outputs map[string]net.Conn
	input   net.Listener
	over    chan struct{}
}

// NewRelay3 starts it.
func NewRelay3(input net.Listener) *Relay3 {
	r := &Relay3{outputs: map[string]net.Conn{}, input: input, over: make(chan struct{})}
	go r.waitOver()
	return r
}

func (r *Relay3) waitOver() {
	<-r.over
	println("over")
}

// Attach adds an output.
func (r *Relay3) Attach(name string, c net.Conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.outputs[name] = c
}

// Stop ends it.
func (r *Relay3) Stop() error {
	defer func() {
		defer func() { _ = recover() }()
		close(r.over)
	}()
	return r.input.Close()
}

// Courier2 counts those that it starts itself, once.
type Courier2 struct {
	underway sync.WaitGroup
	letters  chan string
	home     chan struct{}
}

// NewCourier2 makes one.
func NewCourier2() *Courier2 {
	return &Courier2{letters: make(chan string, 1000), home: make(chan struct{})}
}

// Run sets it going.
func (c *Courier2) Run() {
	c.underway.Add(1)
	go c.bring()
}

func (c *Courier2) bring() {
	defer c.underway.Done()
	for {
		select {
		case <-c.home:
			return
		case letter := <-c.letters:
			println(letter)
		}
	}
}

// Stop ends it.
func (c *Courier2) Stop() {
	close(c.home)
	c.underway.Wait()
}
