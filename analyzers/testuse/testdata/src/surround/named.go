package surround

import "sync"

// A Ledger has a function that takes the lock and returns what gives it back, which is called under a
// name here, in several places.
type Ledger struct {
	mu      sync.Mutex
	amounts map[string]int
	parent  *Ledger
}

func (l *Ledger) hold() func() {
	l.mu.Lock()
	return l.mu.Unlock
}

func (l *Ledger) Move(from, to string, n int) bool {
	unlock := l.hold()
	_, ok := l.amounts[to] // want `l\.amounts\[to\]`
	if !ok {
		unlock()
		l.tell(to)
		unlock = l.hold()
		l.amounts[to] = n
		unlock()
		return true
	}
	unlock()
	return false
}

func (l *Ledger) MoveAtOnce(from, to string, n int) bool {
	unlock := l.hold()
	if _, ok := l.amounts[to]; !ok {
		l.amounts[to] = n
		unlock()
		l.tell(to)
		return true
	}
	unlock()
	return false
}

func (l *Ledger) tell(string) { println(len("told")) }

// MoveAbove gives back what it may have from either: nothing is known of it.
func (l *Ledger) MoveAbove(to string, n int, above bool) bool {
	unlock := l.hold()
	if _, ok := l.amounts[to]; ok {
		unlock()
		return false
	}
	if above {
		unlock()
		unlock = l.parent.hold()
	}
	l.amounts[to] = n
	unlock()
	return true
}

// MoveOnce takes it by its own name afterwards.
func (l *Ledger) MoveOnce(to string, n int) {
	unlock := l.hold()
	_, ok := l.amounts[to] // want `l\.amounts\[to\]`
	unlock()
	if !ok {
		l.tell(to)
		l.mu.Lock()
		l.amounts[to] = n
		l.mu.Unlock()
	}
}
