package fine

import (
	"errors"
	"sync/atomic"
)

const (
	lampOff = iota
	lampBusy
	lampOn
	lampClosed
)

var errLamp = errors.New("lamp: busy")

// Each step is a swap of what it expects.

type Lamp struct {
	state atomic.Int32
	light func() error
}

func (l *Lamp) Light() error {
	if !l.state.CompareAndSwap(lampOff, lampBusy) {
		return errLamp
	}
	if err := l.light(); err != nil {
		l.state.CompareAndSwap(lampBusy, lampOff)
		return err
	}
	l.state.CompareAndSwap(lampBusy, lampOn)
	return nil
}

func (l *Lamp) Close() { l.state.Store(lampClosed) }

// Nobody takes the state from who is busy.

type Torch struct {
	state atomic.Int32
	light func()
}

func (t *Torch) Light() {
	if t.state.CompareAndSwap(lampOff, lampBusy) {
		t.light()
		t.state.Store(lampOff)
	}
}

func (t *Torch) Close() bool { return t.state.CompareAndSwap(lampOff, lampClosed) }

// It ends for good itself.

type Match struct {
	state atomic.Int32
	light func()
}

func (m *Match) Light() {
	if m.state.CompareAndSwap(lampOff, lampBusy) {
		m.light()
		m.state.Store(lampClosed)
	}
}

func (m *Match) Close() { m.state.Store(lampClosed) }
