package broken

import "sync/atomic"

// PostParcel is numbered when it is first sent.
type PostParcel struct {
	number uint64
	track  atomic.Uint64
}

func (p *PostParcel) Number() uint64 { return atomic.LoadUint64(&p.number) }
func (p *PostParcel) Track() uint64  { return p.track.Load() }

type PostDepot struct {
	sent uint64
	belt chan *PostParcel
}

// Send is given a parcel that others may send as well, and looks by a getter.
func (d *PostDepot) Send(p *PostParcel) {
	if p.Number() == 0 { // want `two goroutines can both pass the test of p.number \(in p.Number\) and both set it: two atomic operations are not one`
		atomic.StoreUint64(&p.number, atomic.AddUint64(&d.sent, 1))
		d.belt <- p
	}
}

func (d *PostDepot) Trace(p *PostParcel) {
	if p.Track() != 0 { // want `two goroutines can both pass the test of p.track \(in p.Track\) and both set it: two atomic operations are not one`
		return
	}
	p.track.Store(atomic.AddUint64(&d.sent, 1))
	d.belt <- p
}

// Wrap makes the parcel that it numbers.
func (d *PostDepot) Wrap() *PostParcel {
	p := &PostParcel{}
	if p.Number() == 0 {
		atomic.StoreUint64(&p.number, atomic.AddUint64(&d.sent, 1))
	}
	return p
}
