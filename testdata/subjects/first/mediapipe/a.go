package mediapipe

import (
	"fmt"
	"io"
	"sync"
	"time"
)

type Sample struct {
	At   time.Duration
	Data []byte
}

type Pipeline struct {
	mu   sync.Mutex
	eos  chan struct{}
	err  error
	sink io.Writer
	in   chan Sample
}

func NewPipeline(sink io.Writer) *Pipeline {
	p := &Pipeline{eos: make(chan struct{}), sink: sink, in: make(chan Sample, 8)}
	go p.run()
	return p
}

func (p *Pipeline) finish(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.eos:
		return
	default:
		p.err = err
		close(p.eos)
	}
}

func (p *Pipeline) run() {
	for {
		select {
		case <-p.eos:
			return
		case s := <-p.in:
			if _, err := p.sink.Write(s.Data); err != nil {
				p.finish(fmt.Errorf("mediapipe: at %s: %w", s.At, err))
				return
			}
		}
	}
}

func (p *Pipeline) Push(s Sample) error {
	select {
	case p.in <- s:
		return nil
	case <-p.eos:
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.err != nil {
			return p.err
		}
		return io.EOF
	}
}

func (p *Pipeline) Stop() { p.finish(nil) }
