package fine

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

var errBoard = errors.New("over")

type post struct {
	text  string
	timer *time.Timer
}

// Board drops what it holds in the end, and stops the timers that some have by then.
type Board struct {
	mu    sync.Mutex
	over  atomic.Bool
	posts map[string]*post
	tags  map[string]int
}

func (b *Board) Close() {
	b.over.Store(true)
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.posts {
		if p.timer != nil {
			p.timer.Stop()
		}
	}
	for t := range b.tags {
		delete(b.tags, t)
	}
}

func (b *Board) Put(name, text string) error {
	if b.over.Load() {
		return errBoard
	}
	p := &post{text: text}
	b.mu.Lock()
	b.posts[name] = p
	b.mu.Unlock()
	return nil
}

func (b *Board) Tag(name string) error {
	if b.over.Load() {
		return errBoard
	}
	b.mu.Lock()
	b.tags[name] = 1
	b.mu.Unlock()
	return nil
}
