package broken

import (
	"errors"
	"sync/atomic"
)

// Ring goes from one state to the next; Hang ends it whatever it is in.

const (
	telephoneIdle = iota
	telephoneDialing
	telephoneTalking
	telephoneClosed
)

var errTelephone = errors.New("phone: not idle")

type Telephone struct {
	state atomic.Int32
	dial  func() error
}

func (p *Telephone) Ring() error {
	if !p.state.CompareAndSwap(telephoneIdle, telephoneDialing) { // want `p.state is set here whatever it is by now: telephoneClosed in \(\*Telephone\).Hang, stored since this was taken by CompareAndSwap, is lost`
		return errTelephone
	}
	if err := p.dial(); err != nil {
		p.state.Store(telephoneIdle)
		return err
	}
	p.state.CompareAndSwap(telephoneDialing, telephoneTalking)
	return nil
}

func (p *Telephone) Hang() { p.state.Swap(telephoneClosed) }

type pumpState uint32

const (
	pumpOff pumpState = iota
	pumpOn
	pumpStopped
)

type Pump struct{ state uint32 }

func (p *Pump) Fill(work func()) {
	if atomic.CompareAndSwapUint32(&p.state, uint32(pumpOff), uint32(pumpOn)) { // want `p.state is set here whatever it is by now: pumpStopped in \(\*Pump\).Stop`
		work()
		atomic.StoreUint32(&p.state, uint32(pumpOff))
	}
}

func (p *Pump) Stop() { atomic.StoreUint32(&p.state, uint32(pumpStopped)) }
