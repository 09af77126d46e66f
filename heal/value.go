package heal

import (
	"fmt"
	"math"
	"strconv"
	"unsafe"
)

// Kind says what the memory of a variable holds, if that is one word, whose value reports
// can show.
type Kind uint8

// The kinds of words. Named types have the kind of what they are made of, and those of
// sync/atomic of what they hold.
const (
	KindNone Kind = iota // more than a word, or not known
	KindBool
	KindInt
	KindInt8
	KindInt16
	KindInt32
	KindInt64
	KindUint
	KindUint8
	KindUint16
	KindUint32
	KindUint64
	KindUintptr
	KindFloat32
	KindFloat64
	KindPointer    // a pointer, map, channel or function
	KindAtomicBool // an atomic.Bool is a uint32
)

// size is that of the word in bytes, 0 if it is none.
//
//go:norace
func (k Kind) size() uintptr {
	switch k {
	case KindBool, KindInt8, KindUint8:
		return 1
	case KindInt16, KindUint16:
		return 2
	case KindInt32, KindUint32, KindFloat32, KindAtomicBool:
		return 4
	case KindInt64, KindUint64, KindFloat64:
		return 8
	case KindInt, KindUint, KindUintptr, KindPointer:
		return unsafe.Sizeof(uintptr(0))
	}
	return 0
}

// value is what a word of the program was seen to hold; without a kind it is not known.
type value struct {
	bits uint64
	kind Kind
}

// String is v as Go has it, without any method of the program; empty if it is not known.
func (v value) String() string {
	switch v.kind {
	case KindNone:
		return ""
	case KindBool, KindAtomicBool:
		return strconv.FormatBool(v.bits != 0)
	case KindInt, KindInt8, KindInt16, KindInt32, KindInt64:
		unused := 64 - 8*v.kind.size()
		return strconv.FormatInt(int64(v.bits<<unused)>>unused, 10)
	case KindFloat32:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(v.bits))), 'g', -1, 32)
	case KindFloat64:
		return strconv.FormatFloat(math.Float64frombits(v.bits), 'g', -1, 64)
	case KindUintptr:
		return fmt.Sprintf("%#x", v.bits)
	case KindPointer:
		if v.bits == 0 {
			return "nil"
		}
		return fmt.Sprintf("%#x", v.bits)
	}
	return strconv.FormatUint(v.bits, 10)
}

// change is the value of a variable around one access, as far as it was looked at. Of
// several accesses at one location it is that around the first.
type change struct{ before, after value }

// by leaves out what says nothing of an access in the mode: whoever reads has not changed
// the variable, and which of two values it has read is not known.
func (c change) by(m Mode) change {
	if m&Write == 0 && c.before.kind != KindNone && c.after.kind != KindNone && c.before != c.after {
		return change{}
	}
	return c
}

// ValueBefore returns the value that the variable had directly before the access, and
// ValueAfter that directly after it, as Go writes constants; a pointer, map, channel or
// function as its address or nil. They are empty where that was not looked at, or not in
// time, and where the variable is more than one word of memory. For the access of a data
// race that came first they are there if the value was seen to change while the second one
// waited to learn whose the first was; a third one may have done it.
// Of an access that was made several times they are those of the first time.
func (a Access) ValueBefore() string { return a.change.before.String() }

// ValueAfter is described with ValueBefore.
func (a Access) ValueAfter() string { return a.change.after.String() }

// changed says in words what was seen of the value, and when it changed; empty if nothing was.
func (a Access) changed(when string) string {
	before, after := a.ValueBefore(), a.ValueAfter()
	var s string
	switch {
	case before == "" && after == "":
		return ""
	case after == "":
		s = "value before: " + before
	case before == "":
		s = "value after: " + after
	case before != after:
		s = "value changed" + when + ": " + before + " -> " + after
	case a.Mode&Write != 0:
		s = "value unchanged: " + before
	default:
		s = "value: " + before
	}
	if a.Times > 1 {
		s += " (the first time)"
	}
	return s
}
