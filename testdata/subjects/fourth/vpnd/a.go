package vpnd

import (
	"errors"
	"io"
	"sync"
	"sync/atomic"
)

var ErrUp = errors.New("vpnd: interface already up")

type OpenFunc func(name string) (io.ReadWriteCloser, error)

type Daemon struct {
	name    string
	open    OpenFunc
	running atomic.Bool
	mu      sync.Mutex
	dev     io.ReadWriteCloser
	out     chan []byte
}

func New(name string, open OpenFunc) *Daemon {
	return &Daemon{name: name, open: open, out: make(chan []byte, 64)}
}

func (d *Daemon) Up() error {
	if d.running.Load() {
		return ErrUp
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	dev, err := d.open(d.name)
	if err != nil {
		return err
	}
	d.dev = dev
	d.running.Store(true)
	go d.pump(dev)
	return nil
}

func (d *Daemon) pump(dev io.Reader) {
	for {
		buf := make([]byte, 1500)
		n, err := dev.Read(buf)
		if err != nil {
			return
		}
		d.out <- buf[:n]
	}
}

func (d *Daemon) Packets() <-chan []byte { return d.out }

func (d *Daemon) Down() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dev == nil {
		return nil
	}
	err := d.dev.Close()
	d.dev = nil
	d.running.Store(false)
	return err
}
