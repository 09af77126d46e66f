package fine

import (
	"context"
	"sync"
)

// A Tollgate asks the other side, and hands each answer to the one who waits for it, as long as it
// has the lock.
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
	go func() {
		for {
			id, a, err := read()
			if err != nil {
				return
			}
			t.answered(id, a)
		}
	}()
}

func (t *Tollgate) answered(id int, a string) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if answer, ok := t.asked[id]; ok {
		select {
		case answer <- a:
		default:
		}
	}
}

// A Weighbridge takes the entry out when it has an answer, and closes nothing that is taken out.
type Weighbridge struct {
	mu    sync.Mutex
	asked map[int]chan string
}

func (w *Weighbridge) Ask(id int) string {
	answer := make(chan string, 1)
	w.mu.Lock()
	w.asked[id] = answer
	w.mu.Unlock()
	done := make(chan struct{})
	go func() {
		defer close(done)
		<-answer
	}()
	<-done
	return ""
}

func (w *Weighbridge) Answer(id int, a string) {
	w.mu.Lock()
	answer := w.asked[id]
	delete(w.asked, id)
	w.mu.Unlock()
	answer <- a
}
