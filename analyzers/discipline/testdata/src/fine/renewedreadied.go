package fine

import (
	"context"
	"sync"
)

// queueOfBuns takes the channel under the lock.
type queueOfBuns struct {
	mu    sync.Mutex
	buns  []string
	eaten chan struct{}
}

func (q *queueOfBuns) initialize() { q.eaten = make(chan struct{}) }

func (q *queueOfBuns) awaitFewer(ctx context.Context, n int) bool {
	q.mu.Lock()
	for len(q.buns) > n {
		eaten := q.eaten
		q.mu.Unlock()
		select {
		case <-eaten:
		case <-ctx.Done():
			return false
		}
		q.mu.Lock()
	}
	q.mu.Unlock()
	return true
}

func (q *queueOfBuns) put(r string) {
	q.mu.Lock()
	q.buns = append(q.buns, r)
	q.mu.Unlock()
}

func (q *queueOfBuns) eat() string {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.buns) == 0 {
		return ""
	}
	r := q.buns[0]
	q.buns = q.buns[1:]
	close(q.eaten)
	q.eaten = make(chan struct{})
	return r
}

// Toast bakes as long as there are not too many.
func Toast(ctx context.Context, buns []string, eat func(string)) {
	q := &queueOfBuns{}
	q.initialize()
	go func() {
		for ctx.Err() == nil {
			eat(q.eat())
		}
	}()
	go func() {
		for _, r := range buns {
			q.put(r)
			if !q.awaitFewer(ctx, 3) {
				return
			}
		}
	}()
}
