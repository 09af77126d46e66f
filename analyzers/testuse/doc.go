// Package testuse defines an Analyzer that finds values which are tested and
// then relied upon while another goroutine can change them in between.
//
// # Analyzer testuse
//
// testuse: find tests of shared variables that no longer hold when acted upon
//
// In if !s.closed { s.closed = true; close(s.ch) } two goroutines can both see
// closed == false, and both close the channel. The same goes for a pointer
// tested for nil and then used, for a length tested before an element is
// taken, and for a map entry that is found missing and then stored.
//
// A lock helps only if it is held from the test to the act without a release
// in between. A second test under the final lock is enough too, and so is
// CompareAndSwap, Swap or LoadOrStore; none of these is reported. Only
// variables that more than one goroutine can reach are considered.
//
// ## test-and-use
//
// The variable is tested and then relied upon, and no lock is held. Of two
// goroutines that pass the test, both act. The same goes for a look at a context or at the
// channel that says that it is time to end, and work that is counted in a sync.WaitGroup
// afterwards: who ends it can have waited for nobody in between. And what a loop accepts is not put
// into a map that the end sets to nil, without a look: that panics.
//
// What several places do to one variable is one report, at the first of them that
// nobody ignores; the others are among its related positions.
//
//	if c.cancel != nil {
//		c.cancel()
//		c.cancel = nil
//	}
//
// Hold the lock that guards the variable elsewhere around all of it.
//
//	c.mu.Lock()
//	defer c.mu.Unlock()
//	if c.cancel != nil {
//		c.cancel()
//		c.cancel = nil
//	}
//
// Since 0.1, severity: warning.
//
// ## test-before-lock
//
// The test happens before the lock is taken under which it is acted upon. Of two
// goroutines that pass the test, the second one acts on what the first one has
// changed. And where the test of a flag lets in, whoever sets the flag can have set
// to nil by then what is used under the lock. A lock of another object that is held all the
// while does not help where others set the variable under its own lock alone. And where a cache is asked before
// the lock is taken under which a key is entered among those that are being computed, whoever computed it can be done
// in between: it is in the cache, and no longer among those, and is computed a second time.
//
//	if s.conn == nil {
//		s.mu.Lock()
//		s.conn = dial()
//		s.mu.Unlock()
//	}
//
// Take the lock first, or test again after taking it.
//
//	s.mu.Lock()
//	if s.conn == nil {
//		s.conn = dial()
//	}
//	s.mu.Unlock()
//
// Since 0.1, severity: warning.
//
// ## use-after-unlock
//
// The test happens under the lock, the use after its release. Also reported is an
// object that is looked up in a map and grows when the lock of the map has been
// released, while another function removes from the map the objects that it finds empty:
// a room that is left by the last one and removed, and then joined. So is work that is
// counted in a sync.WaitGroup when the lock under which it was let in has been released:
// who ends things and waits for the group may have found nobody, and so may one who waits first and ends
// the loop that starts more of them afterwards. A pointer that is found
// not to be nil, and read again when the lock has been released, can be nil by then.
//
//	s.mu.Lock()
//	open := s.conn != nil
//	s.mu.Unlock()
//	if open {
//		s.conn = nil
//	}
//
// Hold the lock until the use is over, or work on a copy taken under the lock.
//
//	s.mu.Lock()
//	if s.conn != nil {
//		s.conn = nil
//	}
//	s.mu.Unlock()
//
// Since 0.1, severity: warning.
//
// ## unlock-relock
//
// The lock is released between the test and the act. Each of them is locked, so
// the race detector is content, and the test may no longer hold. The two may lie in two
// methods, one that computes something from the variable and one that stores it.
// An entry of a map that is found due by a field of its own, and deleted under a later
// lock, may have been renewed by then; and of two states that a function sets under one
// lock after the other, without a look, the second overwrites what came in between.
// An entry that was found in a map, or made sure of, may be deleted before it is relied
// upon under the next hold. What is in work is marked before the goroutine is started that
// does it, and not by that goroutine, for the next look comes in between. A
// timer that one method stops and clears, and another one sets
// anew under the next hold, is set by two, and one of them is never stopped.
//
//	p.mu.Lock()
//	n := len(p.free)
//	p.mu.Unlock()
//	if n > 0 {
//		p.mu.Lock()
//		p.free = p.free[:n-1]
//		p.mu.Unlock()
//	}
//
// Keep the lock from the test to the act, or test again after retaking it.
//
//	p.mu.Lock()
//	if n := len(p.free); n > 0 {
//		p.free = p.free[:n-1]
//	}
//	p.mu.Unlock()
//
// Since 0.1, severity: warning.
//
// ## rlock-upgrade
//
// The test happens under RLock, the act under Lock. RLock cannot be upgraded: it is
// released first, and others come in between. Reported is also what could be done twice as
// well, where the function tells by its result who did it: both are told so.
//
//	c.mu.RLock()
//	v, ok := c.m[k]
//	c.mu.RUnlock()
//	if !ok {
//		v = load(k)
//		c.mu.Lock()
//		c.m[k] = v
//		c.mu.Unlock()
//	}
//
// Test again under Lock.
//
//	c.mu.RLock()
//	v, ok := c.m[k]
//	c.mu.RUnlock()
//	if !ok {
//		c.mu.Lock()
//		if v, ok = c.m[k]; !ok {
//			v = load(k)
//			c.m[k] = v
//		}
//		c.mu.Unlock()
//	}
//
// Since 0.1, severity: warning.
//
// ## write-under-rlock
//
// The test and the act happen under RLock. Other holders of RLock are let in at the
// same time, so it does not protect a write.
//
//	c.mu.RLock()
//	if c.conn == nil {
//		c.conn = dial()
//	}
//	c.mu.RUnlock()
//
// Take Lock.
//
//	c.mu.Lock()
//	if c.conn == nil {
//		c.conn = dial()
//	}
//	c.mu.Unlock()
//
// Since 0.1, severity: warning.
//
// ## atomic-check-then-act
//
// An atomic variable is loaded, tested and then stored. Each of the two operations
// is atomic, and together they are not: two goroutines can both pass the test. The
// race detector cannot see this. Neither are two Loads, where another function stores
// nil: p.Load() != nil, and then p.Load().f. And an atomic count of users that has
// fallen to zero can rise again before the lock is taken under which others find the
// object in a map and count themselves in: look at it once more under the lock. Work that
// an atomic flag lets in is counted in a sync.WaitGroup first, and looks at the flag then.
// A greatest value that is kept by one CompareAndSwap, with nothing done where it fails, is
// lost to whoever has stored a lesser one in between: try again. So is what one adds to it,
// where nobody looks whether it has succeeded.
// And a flag by which others ask for something is reset before it is done, not afterwards.
// What is stored because it is newer than what was loaded, or added to a count because
// that was not zero, needs a CompareAndSwap as well; a goroutine that must not run twice
// is started after its flag has been set, not before; and what is added to a list after a
// look at the flag for the end is never ended, when who sets it has gone through the list; nor is
// what is stored in a field after such a look, when who sets the flag has looked at the field.
// A flag that a goroutine takes back at its end is not taken back by who ends it, too, without
// waiting: it may be the next one's by then. Nor is it given back by hand where a deferred call
// does so as well.
//
//	if s.closed.Load() {
//		return
//	}
//	s.closed.Store(true)
//	close(s.done)
//
// Use one operation that does both.
//
//	if !s.closed.CompareAndSwap(false, true) {
//		return
//	}
//	close(s.done)
//
// Since 0.1, severity: error.
//
// ## sync-map
//
// An entry of a sync.Map is looked up and then stored or deleted. Of two goroutines
// that find nothing, the second replaces what the first one stored. So does a
// function that stores a new object without any look and returns it; and of two that
// stop what they have found before they store another one, both stop the same. It is
// alike with other containers for concurrent use that have a method which looks and
// stores in one step (LoadOrStore, SetIfAbsent, ContainsOrAdd, …). Of containers of
// other packages with locks of their own, such as LRU caches, it is reported whatever
// methods they have where the answer decides what is to happen once: an error says that
// the key is there already, or what is found is removed and returned, or counted up. A
// cache of values that are computed from the key alone is left alone. Also reported is a
// count of the entries that is taken down for a key that need not be there any more, or moved
// where a look has found the key, or missed it, before it is deleted or stored; and a mutex
// of a key that is deleted while others wait for it.
// An entry that is deleted because it held a certain object may hold another one by then,
// and a changed copy of a slice or map that is stored replaces what others have stored.
//
//	if v, ok := m.Load(k); ok {
//		return v
//	}
//	v := create()
//	m.Store(k, v)
//	return v
//
// Use LoadOrStore, LoadAndDelete or CompareAndDelete, and go on with what it
// returns.
//
//	v, _ := m.LoadOrStore(k, create())
//	return v
//
// Since 0.1, severity: warning.
//
// ## guarded-escape
//
// A map that a lock guards is copied into a local variable, which is then used
// without the lock. The copy refers to the same entries. So does a map that is sent on a
// channel, or handed to a goroutine, as it is: who receives it walks through it without the
// lock while others change its entries. A slice that is sent, or given to a go statement, and
// whose array is kept and filled again (batch = batch[:0], the next Read into the same buffer)
// is overwritten while the other goroutine uses it, and so are the bytes of a buffer that are returned
// while the buffer goes back into a sync.Pool, the object itself that is used in the step after it was put back, or bytes given to a Write method that leaves them to another goroutine.
// Nor may a copy of an object that gets a lock of its own share a map or a writer that the lock guards, nor
// a local that has a guarded slice's array be sorted in place once the lock is released, or while it is held for reading alone.
//
//	s.mu.Lock()
//	m := s.conns
//	s.mu.Unlock()
//	for id := range m {
//		drop(id)
//	}
//
// Hold the lock, or copy the entries under it.
//
//	s.mu.Lock()
//	m := maps.Clone(s.conns)
//	s.mu.Unlock()
//	for id := range m {
//		drop(id)
//	}
//
// Since 0.1, severity: error.
//
// ## double-close
//
// Two goroutines can both find the channel open, and both close it, which panics.
// A select with a default case tells whether a channel is closed now, not whether
// it still is open when close is reached; the same goes for a method that wraps
// such a select. A goroutine that is started after the look, and closes it, comes later still, whatever lock
// is held for the look. A method such as Close that another one calls too, or whose
// comment allows several calls, and that closes without any look panics on the
// second call, and so does one that closes whatever the state in an exported type that
// several goroutines use, or in an io.Closer with a goroutine of its own, unless its comment
// says that it is called once; a plain flag, which it looks at and sets, lets two in. So does a handler of requests, which a server calls for each of them, and
// a method that stands for one which may be called again: that of what it wraps, or of
// another type behind the same interface.
//
// A goroutine that closes whatever channel a field holds closes the channel of the next
// one, if that is started before it comes so far: two close the new one. Give each
// goroutine its channel. Also reported are goroutines that are started in a loop and all
// close one channel, with nothing that chooses one of them; two that close one channel, each on
// a signal, timer or end of a context of its own; and a function that closes a
// channel, where it is registered and called for all that comes until it is removed.
// So are channels that are closed and left in their map, where the next one finds them,
// and two functions that close one channel, each under a lock of its own. A lock that is
// taken after the look does not help. An object that is looked up in a map, ended by a
// method that closes its channel, and taken out of the map in another step is found by
// two; and the Close of a net.Conn or net.Listener is called by whoever gives up first, a
// server and a deferred call. A channel that is closed on each call, beside a sync.Once
// that does the rest once, is closed twice as well.
//
//	select {
//	case <-s.done:
//	default:
//		close(s.done)
//	}
//
// Use sync.Once, or a mutex around all of it.
//
//	s.once.Do(func() { close(s.done) })
//
// Since 0.1, severity: error.
//
// ## send-after-check
//
// A flag is looked at, under a lock that is released or by an atomic Load, and a
// channel is sent on afterwards that another function closes when it sets the
// flag; or the channel itself is found under the lock, perhaps by a method that returns
// it or in an object of a map, and another function closes those channels. Closed in between, the channel makes
// the send panic. A flag without any lock counts where a method such as Close sets it,
// which anybody may call. A select that sends beside an arm for the signal of the end is
// no better when who gives that signal closes the channel as well: it takes either of two
// arms that are ready; nor is a look at that signal before the send. That does not help
// either where the signal makes the only receiver leave: the send then waits for ever. Also
// reported are methods that take an object from a channel to which others give it back, and use
// it without asking whether it is nil, where another method closes that channel; and channels that
// are closed whether or not the goroutine has sent that is to send on them, as by another
// goroutine at the end of a context, or by the function itself when it has received the first of several.
// So is a channel that is closed as soon as a context ends, while a goroutine that the method has started
// goes to its send; so is one that a method such as Close closes when it has waited for those who send, but not for longer
// than some time; one that a function has put into a map for its answer, and closes when it does not wait any longer, whereas
// another one has taken it off by then; and the channel of a value of a sync.Map that is closed by its own goroutine while another
// one sends on it; and the channel of a client that the loop of a hub closes when it drops the client, while another
// goroutine sends on it.
//
//	s.mu.Lock()
//	closed := s.closed
//	s.mu.Unlock()
//	if !closed {
//		s.queue <- job
//	}
//
// Close another channel, which says that it is over, and never the one that
// others send on; or hold the lock while sending.
//
//	select {
//	case s.queue <- job:
//	case <-s.done:
//	}
//
// Since 0.2, severity: error.
//
// ## lost-wakeup
//
// A variable is looked at under a lock, the lock is released, and a signal is
// awaited that another function gives, without waiting for a receiver, when it
// changes the variable. Given in between, the signal is lost, and the wait never
// ends.
//
// With a sync.Cond the signal is lost when what the waiters test is changed with
// none of the locks held that they keep from the test to Wait, or when they test
// it in a critical section before the one in which they wait. A signal that is kept in
// the one place of a channel is lost when it is given before what it tells of is stored.
// A signal that is given only to who waits already is lost on a loop that is at work, if the
// channel has no buffer.
// And a goroutine that ends because it finds nothing to do takes the flag that says that it runs
// back under the same lock, for who adds something in between starts no other one.
//
//	s.mu.Lock()
//	dirty := s.dirty
//	s.mu.Unlock()
//	if dirty {
//		<-s.clean // elsewhere: select { case s.clean <- struct{}{}: default: }
//	}
//
// Give the channel a buffer of one, or use a sync.Cond.
//
//	s.mu.Lock()
//	for s.dirty {
//		s.cond.Wait()
//	}
//	s.mu.Unlock()
//
// Since 0.2, severity: warning.
package testuse

import _ "embed"

//go:embed doc.go
var doc string
