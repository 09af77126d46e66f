package fine

import "sync"

// Diggers dig until all of them wait for something to dig.
type Diggers struct {
	mu    sync.Mutex
	more  sync.Cond
	holes []int
	idle  int
	at    int
}

func NewDiggers(at int) *Diggers {
	d := &Diggers{at: at}
	d.more.L = &d.mu
	return d
}

func (d *Diggers) Add(hole int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.holes = append(d.holes, hole)
	if d.idle > 0 {
		d.more.Signal()
	}
}

func (d *Diggers) Next() (hole int, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for len(d.holes) == 0 {
		d.idle++
		if d.idle == d.at {
			d.more.Broadcast()
			return 0, false
		}
		d.more.Wait()
		d.idle--
	}
	hole = d.holes[0]
	d.holes = d.holes[1:]
	return hole, true
}
