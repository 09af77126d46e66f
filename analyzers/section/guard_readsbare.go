package section

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// readsBare says whether o reads a field without any lock that all other functions hold one lock
// for, and one of them only to read it: who wrote that one meant that readers take the lock.
//
//	func (c *conn) setState(s State) { c.mu.Lock(); c.state = s; c.mu.Unlock() }
//	func (c *conn) State() State     { c.mu.Lock(); defer c.mu.Unlock(); return c.state }
//	func (c *conn) Ready() bool      { return c.state == Up }
//
// The race detector sees this where a test makes the two meet.
func (s *search) readsBare(o *occurrence) bool {
	if len(o.held) > 0 || o.Mode != atomicity.Read || o.lit {
		return false
	}
	rule := s.shared.Use(o.Var).Rule(s.body)
	if rule == "" {
		rule = s.ruleButWriter(o)
	}
	if rule == "" || s.handlesClass(rule) || s.looksWithout(o) || !s.ownersClass(rule, o.Var) {
		return false
	}
	list := s.ownAccesses(o.Var)
	if slices.ContainsFunc(s.order, func(w *occurrence) bool { return w.Mode == atomicity.Write && w.Var == o.Var && w.via == nil }) {
		return false // that is told of
	}
	if !slices.ContainsFunc(list, func(w placed) bool {
		return w.Mode == atomicity.Write && (!s.shared.SetsGoing(w.body) && !s.waitsBefore(w) || s.shared.OnlySpawned(w.body) && s.shared.Entered(s.body))
	}) {
		return false // it is set before others come, or when they are gone; a goroutine knows nothing of who calls from outside
	}
	return slices.ContainsFunc(list, func(k placed) bool {
		if k.Mode != atomicity.Read || k.body.Outermost() == s.body.Outermost() || !k.lockOf(rule).Valid() {
			return false
		}
		return !slices.ContainsFunc(list, func(w placed) bool { return w.Mode == atomicity.Write && w.body.Outermost() == k.body.Outermost() })
	})
}

// ruleButWriter is the class of the lock under which one goroutine writes what o reads, once it is shared,
// and all others but o read it: that goroutine alone need not take the lock to read what it writes.
//
//	func (p *prober) loop()         { if p.status == Unknown { … }; p.mu.Lock(); p.status = s; p.mu.Unlock() }
//	func (p *prober) Addr() net.Addr { p.mu.Lock(); defer p.mu.Unlock(); if p.status != Up { return nil } … }
//	func (p *prober) Status() Status { return p.status }
func (s *search) ruleButWriter(o *occurrence) string {
	if o.Kind != access.Cell || leadsFurther(o) || s.body.Func == nil || !s.body.Func.Exported() || !s.shared.Entered(s.body) {
		return ""
	}
	class := s.writtenUnder(o)
	if class == "" {
		return ""
	}
	others := 0
	for _, k := range s.ownAccesses(o.Var) {
		if k.body.Outermost() == s.body.Outermost() || s.privateIn(k) {
			continue
		}
		locked := k.lockOf(class).Valid()
		if k.Mode == atomicity.Write || !locked {
			if !s.shared.Single(k.body) {
				return ""
			}
			continue
		}
		others++
	}
	if others == 0 {
		return ""
	}
	return class
}

// ownersClass says whether the locks of the class are fields of the very struct that has the variable: what
// an object around it does with it, and its lock, says nothing of other such objects.
func (s *search) ownersClass(class string, v access.Var) bool {
	owner := s.shared.Owner(v.Obj)
	if owner == nil {
		return false
	}
	name, _, generic := strings.Cut(class, "[")
	if !generic {
		name = class[:strings.LastIndex(class, ".")+1]
	}
	name = strings.TrimSuffix(strings.TrimPrefix(name, "*"), ".")
	return name == owner.Pkg().Path()+"."+owner.Name()
}

// waitsBefore says whether the body of w waits for other goroutines before it.
func (s *search) waitsBefore(w placed) (waits bool) {
	s.inState(w.body, func() { waits = s.waitedBefore(w.occurrence) })
	return waits
}

// setsBare says whether o sets a field without any lock. What a goroutine sets as the first thing of all is set before
// others hear of the object from it.
func (s *search) setsBare(o *occurrence) bool {
	if list := s.body.Block.List; len(list) > 0 && o.Pos() < list[0].End() && s.shared.Begins(s.body) {
		return false
	}
	return o.Mode == atomicity.Write && o.Kind == access.Cell && !o.lit && len(o.held) == 0
}

// readersLock is the class of the lock under which all others read what o writes, and which the body
// takes only after o, or "": it has begun too late.
//
//	func (s *sampler) update() { s.n = len(counts); s.mu.Lock(); s.rates = …; s.mu.Unlock() }
//	func (s *sampler) Len() int { s.mu.Lock(); defer s.mu.Unlock(); return s.n }
func (s *search) readersLock(o *occurrence) string {
	for _, k := range s.ownAccesses(o.Var) {
		if k.Mode != atomicity.Read || k.body.Outermost() == s.body.Outermost() {
			continue
		}
		if makesCall(s.body.Block, func(call *ast.CallExpr) bool {
			fn := s.locks.Callee(call)
			return fn != nil && fn == k.body.Outermost().Func
		}) {
			return "" // it is told
		}
		for _, l := range k.held.Places() {
			class := locks.ClassOf(l)
			if l.Root != nil && l.Root == k.place.Root && s.locksNext(o, class) && s.othersReadUnder(o, class) != nil {
				return class
			}
		}
		return ""
	}
	return ""
}

// settersLock is the class of the lock with which an exported function sets what o reads, whenever it is
// called, as all others do that set it, and which the body takes only after o; or "". What is read leads
// to other variables: half of it may be old.
//
//	func (l *Logger) SetFormatter(f Formatter) { l.mu.Lock(); l.Formatter = f; l.mu.Unlock() }
//	func (l *Logger) write(m string)           { b := l.Formatter.Format(m); l.mu.Lock(); l.Out.Write(b); l.mu.Unlock() }
func (s *search) settersLock(o *occurrence) string {
	if o.Mode != atomicity.Read || o.Kind != access.Cell || o.lit || len(o.held) > 0 || !leadsFurther(o) || s.writtenUnder(o) != "" {
		return ""
	}
	class, called := "", false
	for _, k := range s.ownAccesses(o.Var) {
		if k.Mode != atomicity.Write || s.privateIn(k) {
			continue
		}
		if class == "" {
			for _, l := range k.held.Places() {
				if l.Root != nil && l.Root == k.place.Root && k.held[l] == locks.Exclusive {
					class = locks.ClassOf(l)
				}
			}
		}
		l := k.lockOf(class)
		if class == "" || !l.Valid() || k.held[l] != locks.Exclusive || k.body.Outermost() == s.body.Outermost() {
			return ""
		}
		fn := k.body.Func
		called = called || fn != nil && fn.Exported() && s.shared.Entered(k.body) && !s.shared.SetsGoing(k.body) && !s.readiedBy(k)
	}
	if !called || !s.locksNext(o, class) {
		return ""
	}
	return class
}

// privateIn says whether nobody else has the object of k yet.
func (s *search) privateIn(k placed) (private bool) {
	s.inState(k.body, func() { private = s.reachOf(k.occurrence) == shared.Private })
	return private
}

// readiedBy says whether the body of k readies its object.
func (s *search) readiedBy(k placed) (readies bool) {
	s.inState(k.body, func() { readies = s.readies() })
	return readies
}

// foundBefore says whether the body has found the object of o in a container in another hold of the lock
// than the one for reading in which it writes: in the same one, notesUse tells of it.
func (s *search) foundBefore(o *occurrence) bool {
	sel, ok := ast.Unparen(o.Cell).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	look := s.lookedUp(sel.X, 0)
	return look != nil && !s.oneHold(look, o)
}
