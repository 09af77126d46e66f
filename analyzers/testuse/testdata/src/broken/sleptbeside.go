package broken

import (
	"sync"
	"sync/atomic"
)

// Settle has room for some, of whom one takes the place that another was woken for. If you do not
// need to look at who sits there, you are as safe with a channel.
type Settle struct {
	mu    sync.RWMutex
	room  *sync.Cond
	seats []int
	first int
	max   int
}

func NewSettle(max int) *Settle {
	b := &Settle{max: max}
	b.room = sync.NewCond(&b.mu)
	return b
}

func (b *Settle) taken() bool {
	if b.max == 0 {
		return false
	}
	return len(b.seats)-b.first >= b.max
}

func (b *Settle) Sit(x int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.taken() { // want `b.seats is tested before b.room.Wait, which gives b.mu up, and not again before b.seats is acted upon: \(\*Settle\).Sit can change it meanwhile`
		b.room.Wait()
	}
	b.seats = append(b.seats, x)
}

func (b *Settle) Rise() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	defer b.room.Signal()
	return b.rise()
}

func (b *Settle) rise() int {
	x := b.seats[b.first]
	b.first++
	return x
}

// Gazetteer hands its map out without the lock that the others hold.
type Gazetteer struct {
	mu    sync.Mutex
	pages map[string]*gazetteerPage
}

type gazetteerPage struct{ n int }

func (a *Gazetteer) Put(k string, n int) {
	a.mu.Lock()
	a.pages[k] = &gazetteerPage{n}
	a.mu.Unlock()
}

func (a *Gazetteer) Drop(k string) {
	a.mu.Lock()
	delete(a.pages, k)
	a.mu.Unlock()
}

func (a *Gazetteer) All() map[string]*gazetteerPage {
	return a.pages // want `a.pages is returned itself, and no copy: whoever gets it reads it without the lock with which \(\*Gazetteer\).Put writes its entries`
}

// Halffuse lets one through, which two find that look at once.
type Halffuse struct {
	trials int64
	blown  int64
}

func (f *Halffuse) Try() bool {
	if atomic.LoadInt64(&f.blown) == 0 {
		return true
	}
	if f.trials == 0 { // want `two goroutines can both pass the test of f.trials and both add to it`
		atomic.AddInt64(&f.trials, 1)
		return true
	}
	return false
}

func (f *Halffuse) Blow() {
	atomic.StoreInt64(&f.blown, 1)
	atomic.StoreInt64(&f.trials, 0)
}
