package sched

import "unsafe"

// An Operation is what a goroutine is about to do.
type Operation struct {
	Kind     Kind
	Object   unsafe.Pointer // the variable, lock, channel …; nil if there is none
	Size     uintptr        // of an access, in bytes
	Write    bool           // of an access or an atomic operation
	Location *Location      // of an access, and of an atomic operation where it is known; else nil
	Key      any            // of an entry of a map, where sections are looked at; nil is all of it
	Inside   *Location      // where the access stands, if Location is that of a call which makes it; else nil
}

// A Kind is the kind of an operation.
type Kind uint8

const (
	Starting    Kind = iota // the goroutine has not begun
	Accessing               // Access
	Atomically              // Atomic
	Sending                 // Send
	Receiving               // Receive
	Selecting               // Select
	Closing                 // Close
	Locking                 // Lock of a Mutex or RWMutex
	RLocking                // RLock
	TryLocking              // TryLock and TryRLock
	Adding                  // WaitGroup.Add with a positive delta
	WaitingAll              // WaitGroup.Wait
	CondWaiting             // Cond.Wait
	OnceDoing               // Once.Do
	Sleeping                // Sleep
	Yielding                // Yield
	Networking              // waiting for the other end of a Socket or Backlog
	Returning               // back from something that is not instrumented
)

var kinds = [...]string{"start", "access", "atomic read of", "send", "receive", "select", "close", "lock", "rlock", "trylock",
	"WaitGroup.Add", "WaitGroup.Wait", "Cond.Wait", "Once.Do", "sleep", "yield", "network", "return from what is not instrumented"}

func (k Kind) String() string { return kinds[k] }

// conflicts says whether the operations are on the same object and their order may
// matter: accesses of overlapping memory with a write among them, and everything
// that is done to the same lock or channel.
func (o *Operation) conflicts(p *Operation) bool {
	if o.Object == nil || p.Object == nil {
		return false
	}
	if o.Kind == Accessing && p.Kind == Accessing {
		return (o.Write || p.Write) && o.overlaps(p)
	}
	if o.Kind == Atomically && p.Kind == Atomically {
		return (o.Write || p.Write) && o.Object == p.Object
	}
	return o.Object == p.Object && !(o.Kind == RLocking && p.Kind == RLocking)
}

// meets says whether the two are about the same variable, or about the same entry of
// a map.
func (o *Operation) meets(p *Operation) bool {
	return o.overlaps(p) && (o.Key == nil || p.Key == nil || isEqual(o.Key, p.Key))
}

// isEqual compares keys. Some that have the same type have no order: with those the
// access itself is going to panic.
func isEqual(a, b any) (equal bool) {
	defer func() { _ = recover() }()
	return a == b
}

// mode is what the operation does to the variable.
func (o *Operation) mode() Mode {
	switch {
	case !o.Write:
		return Reads
	case o.Location != nil && o.Location.Update:
		return Reads | Writes
	}
	return Writes
}

// side is the place of an access.
func (o *Operation) side() Side {
	if o.Location == nil {
		return Side{Location: position(), Write: o.Write}
	}
	s := Side{Location: o.Location.String(), ID: o.Location.ID, Write: o.Write}
	if o.Inside != nil {
		s.Inside = o.Inside.String()
	}
	return s
}

// overlaps says whether the memory of the two has a byte in common.
func (o *Operation) overlaps(p *Operation) bool {
	a, b := uintptr(o.Object), uintptr(p.Object)
	return a < b+p.Size && b < a+o.Size
}
