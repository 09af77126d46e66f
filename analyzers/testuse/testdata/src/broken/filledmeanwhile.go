package broken

import "sync"

// Boxes are emptied by one goroutine alone, which throws away what stays empty.
type Boxes struct {
	mu    sync.RWMutex
	boxes map[string]*fillBox
	gone  chan string
	done  chan struct{}
}

type fillBox struct {
	mu    sync.Mutex
	items []int
}

func hasNothing(b *fillBox) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.items) == 0
}

func NewBoxes() *Boxes {
	b := &Boxes{boxes: map[string]*fillBox{}, gone: make(chan string), done: make(chan struct{})}
	go b.sweep()
	return b
}

func (b *Boxes) sweep() {
	for {
		select {
		case <-b.done:
			return
		case name := <-b.gone:
			b.mu.RLock()
			x, ok := b.boxes[name] // want `two goroutines can both pass the test of b.boxes\[name\] and both delete it`
			b.mu.RUnlock()
			if ok && hasNothing(x) {
				b.mu.Lock()
				delete(b.boxes, name)
				b.mu.Unlock()
			}
		}
	}
}

func (b *Boxes) Put(name string, item int) {
	b.mu.Lock()
	x, ok := b.boxes[name]
	if !ok {
		x = &fillBox{}
		b.boxes[name] = x
	}
	x.mu.Lock()
	x.items = append(x.items, item)
	x.mu.Unlock()
	b.mu.Unlock()
}
