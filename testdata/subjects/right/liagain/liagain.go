// Package liagain looks first, and makes sure when it enters.
package liagain

import (
	"errors"
	"sync/atomic"
)

// Limit is never exceeded by those whom Do lets run.
type Limit struct {
	most int64
	n    atomic.Int64
}

// New makes one.
func New(most int64) *Limit { return &Limit{most: most} }

var (
	errBusy  = errors.New("liagain: busy")
	errEmpty = errors.New("liagain: nothing to do")
)

// Do runs f. The first look is cheap, for there may be much in args to look at.
func (l *Limit) Do(args []string, f func(string)) error {
	if l.n.Load() >= l.most {
		return errBusy
	}
	if len(args) == 0 {
		return errEmpty
	}
	now := l.n.Add(1)
	defer l.n.Add(-1)
	if now > l.most {
		return errBusy
	}
	for _, a := range args {
		f(a)
	}
	return nil
}

// TryDo is as Do for one.
func (l *Limit) TryDo(arg string, f func(string)) error {
	if l.n.Load() >= l.most {
		return errBusy
	}
	if arg == "" {
		return errEmpty
	}
	if !l.enter() {
		return errBusy
	}
	defer l.leave()
	f(arg)
	return nil
}

func (l *Limit) enter() bool {
	if l.n.Add(1) > l.most {
		l.n.Add(-1)
		return false
	}
	return true
}

func (l *Limit) leave() { l.n.Add(-1) }
