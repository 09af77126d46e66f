package gametick

import (
	"time"
)

type Update struct {
	Tick   uint64
	Entity uint32
	X, Y   float32
}

type Outbox struct {
	ch chan Update
}

func NewOutbox(n int) *Outbox {
	if n < 1 {
		n = 1
	}
	return &Outbox{ch: make(chan Update, n)}
}

// Offer enqueues u and drops the oldest update when the client lags.
func (o *Outbox) Offer(u Update) {
	for {
		select {
		case o.ch <- u:
			return
		default:
		}
		if len(o.ch) > 0 {
			<-o.ch
		}
	}
}

func (o *Outbox) Drain(write func(Update) error, every time.Duration) error {
	tk := time.NewTicker(every)
	defer tk.Stop()
	for range tk.C {
		for {
			var u Update
			select {
			case u = <-o.ch:
			default:
				goto next
			}
			if err := write(u); err != nil {
				return err
			}
		}
	next:
	}
	return nil
}
