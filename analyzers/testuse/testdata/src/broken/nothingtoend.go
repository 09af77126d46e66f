package broken

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
}

// PutFor puts one that ends by itself.
func (b *Board) PutFor(name, text string, d time.Duration) error {
	if b.over.Load() { // want `b.over can be set by \(\*Board\).Close after it was tested here and before b.posts is added to`
		return errBoard
	}
	p := &post{text: text, timer: time.AfterFunc(d, func() { println(name) })}
	b.mu.Lock()
	b.posts[name] = p
	b.mu.Unlock()
	return nil
}
