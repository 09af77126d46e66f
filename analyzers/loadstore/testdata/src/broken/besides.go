package broken

import "sync"

// An Exchange numbers what it sends, and knows who waits for an answer.
type Exchange struct {
	mu      sync.Mutex
	waiting map[int]chan int
	seq     int
	turns   int
	own     int
	queue   []int
}

func (x *Exchange) Send(v int) chan int {
	x.seq++ // want `two goroutines can both read x.seq before either stores it, and one update is lost: no lock is held`
	id := x.seq
	ch := make(chan int, 1)
	x.mu.Lock()
	x.waiting[id] = ch
	x.mu.Unlock()
	return ch
}

// Turn takes no lock at all: nothing tells who calls it.
func (x *Exchange) Turn() { x.turns++ }

// Start runs in one goroutine.
func (x *Exchange) Start() {
	x.own++
	x.mu.Lock()
	x.waiting = map[int]chan int{}
	x.mu.Unlock()
}

// loop is the only one that counts rounds.
func (x *Exchange) loop() {
	for range 3 {
		x.own++
		x.mu.Lock()
		x.queue = nil
		x.mu.Unlock()
	}
}

func Begin() *Exchange {
	x := &Exchange{}
	go x.loop()
	return x
}
