package broken

import (
	"context"
	"sync"
)

// queueOfRolls is made ready by a method of its own, before anybody else has it.
type queueOfRolls struct {
	mu    sync.Mutex
	rolls []string
	eaten chan struct{}
}

func (q *queueOfRolls) initialize() { q.eaten = make(chan struct{}) }

func (q *queueOfRolls) awaitFewer(ctx context.Context, n int) bool {
	q.mu.Lock()
	for len(q.rolls) > n {
		q.mu.Unlock()
		select {
		case <-q.eaten: // want `q.eaten is read here without q.mu, under which \(\*queueOfRolls\).eat closes it and stores a new one`
		case <-ctx.Done():
			return false
		}
		q.mu.Lock()
	}
	q.mu.Unlock()
	return true
}

func (q *queueOfRolls) put(r string) {
	q.mu.Lock()
	q.rolls = append(q.rolls, r)
	q.mu.Unlock()
}

func (q *queueOfRolls) eat() string {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.rolls) == 0 {
		return ""
	}
	r := q.rolls[0]
	q.rolls = q.rolls[1:]
	close(q.eaten)
	q.eaten = make(chan struct{})
	return r
}

// Bake bakes as long as there are not too many.
func Bake(ctx context.Context, rolls []string, eat func(string)) {
	q := &queueOfRolls{}
	q.initialize()
	go func() {
		for ctx.Err() == nil {
			eat(q.eat())
		}
	}()
	go func() {
		for _, r := range rolls {
			q.put(r)
			if !q.awaitFewer(ctx, 3) {
				return
			}
		}
	}()
}
