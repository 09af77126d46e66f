package broken

import (
	"context"
	"sync"
)

// A Tollgate asks the other side, and hands each answer to the one who waits for it.
type Tollgate struct {
	mu    sync.RWMutex
	asked map[int]chan string
	next  int
}

func (t *Tollgate) Ask(ctx context.Context, send func(int) error) (string, error) {
	answer := make(chan string, 1)
	t.mu.Lock()
	t.next++
	id := t.next
	t.asked[id] = answer
	t.mu.Unlock()

	defer func() {
		t.mu.Lock()
		delete(t.asked, id)
		t.mu.Unlock()
		close(answer)
	}()

	if err := send(id); err != nil {
		return "", err
	}
	select {
	case a := <-answer:
		return a, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func (t *Tollgate) Serve(read func() (int, string, error)) {
	go t.serve(read)
}

func (t *Tollgate) serve(read func() (int, string, error)) {
	for {
		id, a, err := read()
		if err != nil {
			return
		}
		t.answered(id, a)
	}
}

func (t *Tollgate) answered(id int, a string) {
	t.mu.RLock()
	answer, ok := t.asked[id] // want `answer can be closed by another goroutine once t.mu is released, and the send then panics`
	t.mu.RUnlock()
	if !ok {
		return
	}
	select {
	case answer <- a:
	default:
	}
}
