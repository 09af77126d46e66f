//go:build !atomrace_off

package heal

import (
	"sync"
	"unsafe"
)

// Frame belongs to one activation of a function that has hooks. It knows the
// goroutine, and what this activation has open: sections, healing holds and,
// between a before and an after, the access itself. A Frame is a local
// variable of that function and is used by its goroutine only.
type Frame struct {
	g     G
	stack *Stack
	quicks
	*activation // nil while the quick section is all there is
}

// activation is the part of a Frame that is needed once another goroutine has
// come near, or the settings ask for more than watching.
type activation struct {
	win   access
	n     int // records in use
	recs  [2]record
	more  []record
	holds []hold
	outer []access // of the sets that the variable of win is in
}

// activations keeps those that are not in use.
var activations = sync.Pool{New: func() any { return new(activation) }}

// expand gives f its activation.
func (f *Frame) expand() {
	if f.activation == nil {
		quiet()
		f.activation = activations.Get().(*activation)
		loud()
	}
}

// shrink takes the activation away if nothing is open in it.
//
//go:norace
func (f *Frame) shrink() {
	a := f.activation
	if a == nil || a.n > 0 || len(a.holds) > 0 || a.win.active || len(a.outer) > 0 {
		return
	}
	f.activation = nil
	quiet()
	activations.Put(a)
	loud()
}

// pending reports whether an access is between its before and its after.
//
//go:norace
func (f *Frame) pending() bool { return f.activation != nil && f.win.active }

// access is what is pending between the before and the after of one access.
type access struct {
	active bool
	addr   uintptr
	at     unsafe.Pointer // the variable, if it is no entry of a map: in a set, the member
	change change         // of the variable, as far as it matters
	strict bool           // the access is a call that may itself synchronise
	lock   *healingLock   // taken for this access alone
	mark   Marked
	from   uint64 // tick before the access
	met    bool   // others were inside at that tick
	added  bool   // they did not know it before: it is a suspect by that tick
	claim  *cell  // claimed for this access alone
	yields bool   // backed off in vain
	asked  bool   // a healing lock was asked for, whether it was granted or not
}

// record is a section that this activation has entered.
type record struct {
	section *Section
	cell    *cell // nil: not monitored, too many others are
	addr    uintptr
	id      uint64
	lock    *healingLock   // held for an unmonitored section
	entry   *Location      // where it began
	keep    unsafe.Pointer // keeps the instance's memory from being used anew
}

// Begin makes the Frame of a function activation.
func Begin() Frame {
	s := self()
	return Frame{g: s.tag(), stack: s}
}

// End closes what the activation still has open, by the way of an atomExit: it
// is deferred, and so covers return, panic and Goexit alike.
//
//go:norace
func (f *Frame) End() {
	if f.count != 0 {
		f.quitAll()
	}
	if f.activation != nil {
		f.close()
	}
	if loadWord(&polling) != 0 {
		poll()
	}
}

// quitAll ends the quick sections and the fast one.
//
//go:norace
func (f *Frame) quitAll() {
	if f.isFast() {
		f.dropHeld()
		f.finishFast()
	}
	for f.count != 0 {
		f.quit(f.number() - 1)
	}
}

// close ends what is open in the activation.
//
//go:norace
func (f *Frame) close() {
	if f.win.active {
		f.abandon()
	}
	for f.n > 0 {
		r := f.take(f.n - 1)
		f.leave(&r)
	}
	for i := len(f.holds) - 1; i >= 0; i-- {
		f.holds[i].let(f.g)
		f.holds[i] = hold{}
	}
	f.holds = f.holds[:0]
	f.shrink()
}

// Exit is the atomExit of section s on an explicit way out: what this
// activation has open of s ends unjudged, for every foreign access is allowed.
//
//go:norace
func (f *Frame) Exit(s *Section) {
	if f.count != 0 {
		if f.isFast() && f.fastSection() == s {
			f.finishFast()
		}
		f.skip(s)
	}
	if f.activation == nil {
		return
	}
	for i := f.n - 1; i >= 0; i-- {
		if f.record(i).section == s {
			r := f.take(i)
			f.leave(&r)
		}
	}
}

// abandon ends an access that panicked between its before and its after.
//
//go:norace
func (f *Frame) abandon() {
	w := f.win
	f.win = access{}
	w.mark.clear()
	f.free(&w)
	for i := len(f.outer) - 1; i >= 0; i-- {
		f.free(&f.outer[i])
		f.outer[i] = access{}
	}
	f.outer = f.outer[:0]
}

// free gives back what was taken for the access w alone.
//
//go:norace
func (f *Frame) free(w *access) {
	if w.lock != nil {
		w.lock.release(f.g)
	}
	if w.claim != nil {
		w.claim.unclaim()
	}
}

//go:norace
func (f *Frame) record(i int) *record {
	if i < len(f.recs) {
		return &f.recs[i]
	}
	return &f.more[i-len(f.recs)]
}

// push appends r to the records.
//
//go:norace
func (f *Frame) push(r record) {
	if f.n < len(f.recs) {
		f.recs[f.n] = r
	} else {
		f.more = append(f.more[:f.n-len(f.recs)], r)
	}
	f.n++
}

// take removes record i and returns it.
//
//go:norace
func (f *Frame) take(i int) record {
	r := *f.record(i)
	for ; i < f.n-1; i++ {
		*f.record(i) = *f.record(i + 1)
	}
	*f.record(f.n - 1) = record{}
	f.n--
	return r
}

// opened returns the number of the record for the opening id in c, or -1.
//
//go:norace
func (f *Frame) opened(c *cell, s *Section, id uint64) int {
	for i := f.n - 1; i >= 0; i-- {
		if r := f.record(i); r.section == s && r.cell == c && r.id == id {
			return i
		}
	}
	return -1
}

// leave closes the section of r without a verdict.
//
//go:norace
func (f *Frame) leave(r *record) {
	if r.cell == nil {
		if r.lock != nil {
			r.lock.release(f.g)
		}
		return
	}
	if lock := r.cell.leave(r, f.g); lock != nil {
		lock.release(f.g)
	}
}
