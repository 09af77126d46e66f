package fine

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
	mood atomic.Int32
	bell chan struct{}
}

func NewOfficer() *Officer {
	o := &Officer{bell: make(chan struct{})}
	go o.run()
	return o
}

func (o *Officer) SendAshore() { o.post.Store(int32(ashore)) }

func (o *Officer) run() {
	for range o.bell {
		if o.post.CompareAndSwap(int32(ashore), int32(onCall)) {
			o.relieve()
		}
	}
}

// relieve compares.
func (o *Officer) relieve() {
	if watchKind(o.post.Load()) != onCall {
		return
	}
	o.post.CompareAndSwap(int32(onCall), int32(onDuty))
	if watchKind(o.mood.Load()) == ashore {
		o.mood.Store(int32(onDuty)) // nobody else sets a third one
	}
}

func (o *Officer) Relax() { o.mood.Store(int32(ashore)) }
