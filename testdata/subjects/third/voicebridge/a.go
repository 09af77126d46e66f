package voicebridge

import (
	"context"
	"errors"
	"fmt"
)

var ErrFull = errors.New("bridge full")

type Leg interface {
	Negotiate(ctx context.Context, codecs []string) (string, error)
	Hangup()
}

type slot struct {
	leg   Leg
	codec string
}

type Bridge struct {
	sem    chan struct{}
	slots  []slot
	count  int
	codecs []string
}

func NewBridge(size int, codecs ...string) *Bridge {
	return &Bridge{
		sem:    make(chan struct{}, 1),
		slots:  make([]slot, size),
		codecs: codecs,
	}
}

func (b *Bridge) Join(ctx context.Context, leg Leg) (int, error) {
	b.sem <- struct{}{}
	at := b.count
	full := at >= len(b.slots)
	<-b.sem

	if full {
		leg.Hangup()
		return -1, ErrFull
	}
	codec, err := leg.Negotiate(ctx, b.codecs)
	if err != nil {
		return -1, fmt.Errorf("slot %d: %w", at, err)
	}

	b.sem <- struct{}{}
	b.slots[at] = slot{leg, codec}
	b.count = at + 1
	<-b.sem
	return at, nil
}

func (b *Bridge) Teardown() {
	b.sem <- struct{}{}
	defer func() { <-b.sem }()
	for i := range b.slots[:b.count] {
		b.slots[i].leg.Hangup()
		b.slots[i] = slot{}
	}
	b.count = 0
}
