// Package cbindex has a channel, or a worker, for each of two directions.
package cbindex

import (
	"io"
	"net"
)

type way struct {
	dst, src net.Conn
	over     chan struct{}
}

func (w *way) copy() {
	defer close(w.over)
	io.Copy(w.dst, w.src)
}

// Join has an array of channels.
func Join(a, b net.Conn) {
	var done [2]chan struct{}
	for i := range done {
		done[i] = make(chan struct{})
	}
	go copyTo(a, b, done[0])
	go copyTo(b, a, done[1])
	<-done[0]
	<-done[1]
}

func copyTo(dst, src net.Conn, done chan struct{}) {
	io.Copy(dst, src)
	close(done)
}

// Proxy has two ways.
type Proxy struct {
	ways  []*way
	named map[string]*way
}

// Run runs both.
func Run(a, b net.Conn) *Proxy {
	p := &Proxy{ways: []*way{{a, b, make(chan struct{})}, {b, a, make(chan struct{})}}}
	p.named = map[string]*way{"up": p.ways[0], "down": p.ways[1]}
	go p.ways[0].copy()
	go p.ways[1].copy()
	return p
}

// RunNamed runs two others.
func RunNamed(a, b net.Conn) *Proxy {
	p := &Proxy{named: map[string]*way{
		"up":   {a, b, make(chan struct{})},
		"down": {b, a, make(chan struct{})},
	}}
	go p.named["up"].copy()
	go p.named["down"].copy()
	return p
}

// Wait waits for both.
func (p *Proxy) Wait() {
	for _, w := range p.ways {
		<-w.over
	}
}
