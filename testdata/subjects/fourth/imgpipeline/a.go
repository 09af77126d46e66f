package imgpipeline

import (
	"context"
	"errors"
)

type Frame struct {
	Seq    int
	Pix    []byte
	Stages []string
	Err    error
}

type Pipeline struct {
	decoded chan *Frame
	encoded chan *Frame
}

func Run(ctx context.Context, src <-chan []byte) *Pipeline {
	p := &Pipeline{decoded: make(chan *Frame), encoded: make(chan *Frame)}
	go p.decode(ctx, src)
	go p.encode(ctx)
	return p
}

func (p *Pipeline) decode(ctx context.Context, src <-chan []byte) {
	defer close(p.decoded)
	seq := 0
	for raw := range src {
		f := &Frame{Seq: seq, Pix: raw}
		seq++
		if len(raw) == 0 {
			f.Err = errors.New("empty frame")
		}
		f.Stages = append(f.Stages, "decode")
		select {
		case p.decoded <- f:
		case <-ctx.Done():
			return
		}
	}
}

func (p *Pipeline) encode(ctx context.Context) {
	defer close(p.encoded)
	for f := range p.decoded {
		if f.Err == nil {
			for i := range f.Pix {
				f.Pix[i] ^= 0xff
			}
		}
		f.Stages = append(f.Stages, "encode")
		select {
		case p.encoded <- f:
		case <-ctx.Done():
			return
		}
	}
}

func (p *Pipeline) Frames() <-chan *Frame { return p.encoded }
