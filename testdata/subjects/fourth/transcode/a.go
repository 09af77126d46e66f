package transcode

import (
	"context"
	"fmt"
	"sync"
)

type Rendition struct {
	Name    string
	Bitrate int
}

type Encoder interface {
	Encode(ctx context.Context, src string, r Rendition) error
}

type Packager struct {
	enc    Encoder
	ladder []Rendition
	failed int
}

func NewPackager(enc Encoder, ladder ...Rendition) *Packager {
	return &Packager{enc: enc, ladder: ladder}
}

// Package encodes all renditions of src and reports how many were lost.
func (p *Packager) Package(ctx context.Context, src string) error {
	var wg sync.WaitGroup
	p.failed = 0
	for _, r := range p.ladder {
		wg.Add(1)
		go func(r Rendition) {
			defer wg.Done()
			if err := p.enc.Encode(ctx, src, r); err != nil {
				p.failed++
			}
		}(r)
	}
	wg.Wait()
	if p.failed > 0 {
		return fmt.Errorf("%s: %d of %d renditions failed", src, p.failed, len(p.ladder))
	}
	return nil
}
