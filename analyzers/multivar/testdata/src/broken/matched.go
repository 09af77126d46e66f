package broken

import (
	"errors"
	"os"
	"sync"
)

// TwinFiles has the contents of two files that belong together.
type TwinFiles struct {
	leftName, rightName string

	mu          sync.RWMutex
	left, right []byte
	loads       int
}

func twinsFit(left, right []byte) bool { return len(left) == len(right) }

func twinMade(left, right []byte) string { return string(left) + string(right) }

func (t *TwinFiles) setLeft(b []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.left = b
	t.loads++
}

func (t *TwinFiles) setRight(b []byte) {
	t.mu.Lock()
	t.right = b
	t.mu.Unlock()
}

// Refresh checks that the two fit, and sets one after the other.
func (t *TwinFiles) Refresh() error {
	left, err := os.ReadFile(t.leftName)
	if err != nil {
		return err
	}
	right, err := os.ReadFile(t.rightName)
	if err != nil {
		return err
	}
	if !twinsFit(left, right) {
		return errors.New("they do not fit")
	}
	t.setLeft(left) // want `t.left and t.right are set in two critical sections, one after the other; \(\*TwinFiles\).Both reads both in one, and can find the new one of the first with the old one of the second`
	t.setRight(right)
	return nil
}

// Follow calls Refresh again and again, and sets nothing by itself.
func (t *TwinFiles) Follow(ticks <-chan struct{}, tell func(error)) {
	for range ticks {
		if err := t.Refresh(); err != nil {
			tell(err)
		}
	}
}

func (t *TwinFiles) Both() string {
	t.mu.RLock()
	left, right := t.left, t.right
	t.mu.RUnlock()
	return twinMade(left, right)
}

// TwinMarks sets two that have nothing to do with each other.
type TwinMarks struct {
	mu   sync.Mutex
	head string
	tail []byte
}

func (t *TwinMarks) setHead(h string) {
	t.mu.Lock()
	t.head = h
	t.mu.Unlock()
}

func (t *TwinMarks) setTail(b []byte) {
	t.mu.Lock()
	t.tail = b
	t.mu.Unlock()
}

func (t *TwinMarks) Mark(name string) {
	b, _ := os.ReadFile(name)
	t.setHead("head")
	t.setTail(b)
}

func (t *TwinMarks) Both() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return twinMade([]byte(t.head), t.tail)
}
