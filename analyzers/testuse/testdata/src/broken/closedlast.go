package broken

import (
	"net"
	"sync"
	"time"
)

// LineHub hands lines on to connections by name.
type LineHub struct {
	mu      sync.Mutex
	outputs map[string]net.Conn
	input   net.Listener
	over    chan struct{}
}

// NewLineHub starts it.
func NewLineHub(input net.Listener) *LineHub {
	r := &LineHub{outputs: map[string]net.Conn{}, input: input, over: make(chan struct{})}
	go r.waitOver()
	return r
}

func (r *LineHub) waitOver() {
	<-r.over
	println("over")
}

// Attach adds an output.
func (r *LineHub) Attach(name string, c net.Conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.outputs[name] = c
}

// Stop ends it.
func (r *LineHub) Stop() error {
	defer close(r.over) // want `r\.over is closed without a look whether it is closed already: a second call panics`
	return r.input.Close()
}

// SoundHub is a LineHub that says when it is over.
type SoundHub struct {
	mu      sync.Mutex
	outputs map[string]net.Conn
	input   net.Listener
	over    chan struct{}
}

// NewSoundHub starts it.
func NewSoundHub(input net.Listener) *SoundHub {
	m := &SoundHub{outputs: map[string]net.Conn{}, input: input, over: make(chan struct{})}
	go m.waitOver()
	return m
}

func (m *SoundHub) waitOver() {
	<-m.over
	println("over")
}

// Attach adds an output.
func (m *SoundHub) Attach(name string, c net.Conn) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.outputs[name] = c
}

// Stop ends it.
func (m *SoundHub) Stop() error {
	defer func() {
		println("stopped")
		close(m.over) // want `m\.over is closed without a look whether it is closed already: a second call panics`
	}()
	return m.input.Close()
}

// LetterHub brings letters without keeping anybody waiting.
type LetterHub struct {
	underway sync.WaitGroup
	letters  chan string
	home     chan struct{}
}

// NewLetterHub sets one going.
func NewLetterHub() *LetterHub {
	c := &LetterHub{letters: make(chan string, 1000), home: make(chan struct{})}
	go c.bring()
	return c
}

func (c *LetterHub) bring() {
	for {
		select {
		case <-c.home:
			return
		case letter := <-c.letters:
			println(letter)
			c.underway.Done()
		}
	}
}

// Post gives it a letter.
func (c *LetterHub) Post(letter string) {
	c.underway.Add(1)
	select {
	case c.letters <- letter:
	default:
		c.underway.Done()
	}
}

// WaitAndClose ends it when all is brought, or after the time.
func (c *LetterHub) WaitAndClose(timeout time.Duration) {
	brought := make(chan struct{})
	go func() {
		c.underway.Wait()
		close(brought)
	}()
	select {
	case <-brought:
	case <-time.After(timeout):
	}
	close(c.home) // want `c\.home is closed without a look whether it is closed already: a second call panics`
}
