package broken

import (
	"errors"
	"io"
)

var errNoLine = errors.New("no line")

// TelephoneLine is what a board lends.
type TelephoneLine struct {
	number string
	dead   bool
	w      io.WriteCloser
}

func (l *TelephoneLine) Ring() error {
	if l.dead {
		return errNoLine
	}
	_, err := l.w.Write([]byte(l.number))
	return err
}

// PhoneLender lends lines to whoever calls.
type PhoneLender struct {
	free  chan *TelephoneLine
	plain chan io.WriteCloser
}

func NewPhoneLender(n int) *PhoneLender {
	return &PhoneLender{free: make(chan *TelephoneLine, n), plain: make(chan io.WriteCloser, n)}
}

func (x *PhoneLender) Borrow() (*TelephoneLine, error) {
	select {
	case l := <-x.free: // want `what is received here is nil then`
		if l.dead {
			return nil, errNoLine
		}
		return l, nil
	default:
		return nil, errNoLine
	}
}

func (x *PhoneLender) Ring() error {
	l := <-x.free // want `what is received here is nil then`
	return l.Ring()
}

func (x *PhoneLender) GiveBack(l *TelephoneLine) {
	x.free <- l
}

func (x *PhoneLender) Close() {
	close(x.free)
	for l := range x.free {
		l.w.Close()
	}
}
