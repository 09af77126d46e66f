package serialport

import (
	"context"
	"errors"
	"io"
)

var ErrNotOpen = errors.New("serialport: not open")

type Port struct {
	sem  chan struct{}
	open func() (io.ReadWriteCloser, error)
	dev  io.ReadWriteCloser
}

func New(open func() (io.ReadWriteCloser, error)) *Port {
	return &Port{sem: make(chan struct{}, 1), open: open}
}

func (p *Port) lock(ctx context.Context) error {
	select {
	case p.sem <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p *Port) unlock() { <-p.sem }

func (p *Port) Write(ctx context.Context, b []byte) (int, error) {
	if err := p.lock(ctx); err != nil {
		return 0, err
	}
	defer p.unlock()
	if p.dev == nil {
		return 0, ErrNotOpen
	}
	return p.dev.Write(b)
}

func (p *Port) Reset(ctx context.Context) error {
	if err := p.lock(ctx); err != nil {
		return err
	}
	defer p.unlock()
	if p.dev != nil {
		if err := p.dev.Close(); err != nil {
			return err
		}
		p.dev = nil
	}
	dev, err := p.open()
	if err != nil {
		return err
	}
	p.dev = dev
	return nil
}
