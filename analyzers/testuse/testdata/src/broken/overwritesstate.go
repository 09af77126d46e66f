package broken

import "sync/atomic"

type watchKind int32

const (
	ashore watchKind = iota
	onCall
	onDuty
)

// Officer is put on duty by one goroutine, and sent ashore by whoever comes.
type Officer struct {
	post atomic.Int32
	bell chan struct{}
}

func NewOfficer() *Officer {
	o := &Officer{bell: make(chan struct{})}
	go o.run()
	return o
}

func (o *Officer) Post() watchKind { return watchKind(o.post.Load()) }

func (o *Officer) set(w watchKind) { o.post.Store(int32(w)) }

func (o *Officer) SendAshore() { o.set(ashore) }

func (o *Officer) run() {
	for range o.bell {
		if o.post.CompareAndSwap(int32(ashore), int32(onCall)) {
			o.relieve()
		}
	}
}

func (o *Officer) relieve() {
	if o.Post() != onCall { // want `\(\*Officer\).SendAshore can set o.post \(in o.Post\) between this test and the store, which takes that back`
		return
	}
	o.set(onDuty)
}
