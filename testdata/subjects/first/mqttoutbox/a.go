package mqttoutbox

import (
	"errors"
	"io"
)

var ErrFull = errors.New("mqttoutbox: outbox full")

type Packet struct {
	Topic   string
	Payload []byte
	QoS     byte
}

type encoder interface {
	Encode(io.Writer, Packet) error
}

type Outbox struct {
	queue chan Packet
	done  chan struct{}
	enc   encoder
}

func NewOutbox(w io.Writer, enc encoder, depth int) *Outbox {
	o := &Outbox{
		queue: make(chan Packet, depth),
		done:  make(chan struct{}),
		enc:   enc,
	}
	go o.loop(w)
	return o
}

func (o *Outbox) loop(w io.Writer) {
	defer close(o.done)
	for p := range o.queue {
		if err := o.enc.Encode(w, p); err != nil {
			return
		}
	}
}

// Publish queues p without blocking.
func (o *Outbox) Publish(p Packet) error {
	select {
	case <-o.done:
		return io.ErrClosedPipe
	default:
	}
	if len(o.queue) == cap(o.queue) {
		if p.QoS == 0 {
			return nil
		}
		return ErrFull
	}
	o.queue <- p
	return nil
}

func (o *Outbox) Backlog() int { return len(o.queue) }
