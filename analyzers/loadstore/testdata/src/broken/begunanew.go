package broken

import "sync/atomic"

const highestID = 0xffff

// Pager gives each page a number of its own, and begins anew.
type Pager struct {
	next atomic.Uint32
	old  uint32
}

// Page draws a number twice where two go beyond the bound at once.
func (p *Pager) Page(send func(uint16)) {
	id := p.next.Add(1) // want `two goroutines can both find p.next beyond its bound and both set it anew`
	if id > highestID {
		p.next.Store(0)
		id = 0
	}
	send(uint16(id))
}

// Old does so with functions.
func (p *Pager) Old() uint32 {
	id := atomic.AddUint32(&p.old, 1) // want `two goroutines can both find p.old beyond its bound and both set it anew`
	if id >= 1000 {
		atomic.StoreUint32(&p.old, 1)
		return 1
	}
	return id
}
