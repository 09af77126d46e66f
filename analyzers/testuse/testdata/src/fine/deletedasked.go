package fine

import (
	"context"
	"sync"
)

type hearer struct{ news chan string }

// NewsBooth closes the channel of those alone that were still there.
type NewsBooth struct {
	mu      sync.Mutex
	hearers map[int]*hearer
	next    int
}

func (b *NewsBooth) Listen(ctx context.Context, tell func(string)) {
	news := make(chan string, 4)
	b.mu.Lock()
	b.next++
	id := b.next
	b.hearers[id] = &hearer{news: news}
	b.mu.Unlock()
	go func() {
		<-ctx.Done()
		b.mu.Lock()
		_, ok := b.hearers[id]
		delete(b.hearers, id)
		b.mu.Unlock()
		if ok {
			close(news)
		}
	}()
	for n := range news {
		tell(n)
	}
}

func (b *NewsBooth) Tell(n string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for id, h := range b.hearers {
		select {
		case h.news <- n:
		default:
			delete(b.hearers, id)
			close(h.news)
		}
	}
}
