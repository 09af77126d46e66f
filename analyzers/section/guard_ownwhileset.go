package section

import (
	"go/ast"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// A variable that is set where it was found unset, before the one goroutine is started that
// unsets it again, is that goroutine's as long as it is set: nobody else changes it meanwhile.
//
//	if x.done == nil {                // under x.mu
//		x.done = make(chan struct{})
//		go func() {
//			…
//			x.done <- struct{}{}
//			x.mu.Lock()
//			close(x.done)
//			x.done = nil
//			x.mu.Unlock()
//		}()
//	}

// ownWhileSet says whether the read o of such a variable is one by the goroutine, before it
// unsets it.
func (s *search) ownWhileSet(o *occurrence) bool {
	if o.Mode != atomicity.Read || o.Kind != access.Cell || o.via != nil || !o.Var.Obj.IsField() || o.Var.Obj.Exported() || o.Var.Contents {
		return false
	}
	set, class := s.setForStart(o)
	if set == nil {
		return false
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, w := range s.ownAccesses(o.Var) {
		if w.Mode != atomicity.Write {
			continue
		}
		s.bodyState = s.states[w.body]
		if s.reachOf(w.occurrence) == shared.Private {
			continue
		}
		if !w.lockOf(class).Valid() {
			return false
		}
		if w.body != current.body {
			if s.foundUnset(w.occurrence) == nil || s.storesZero(w.occurrence) {
				return false
			}
			continue
		}
		if !s.storesZero(w.occurrence) || s.leadsTo(w.occurrence, o) {
			return false
		}
	}
	return true
}

// storesZero says whether the write unsets the variable.
func (s *search) storesZero(w *occurrence) bool {
	values := stored(w.Access)
	return len(values) == 1 && s.zero(values[0])
}

// setForStart is the write that sets the variable of o, where it was found unset, before the one
// go statement which starts the body, and the class of the lock that is held there; or nil.
func (s *search) setForStart(o *occurrence) (set *occurrence, class string) {
	from, block, index, object := s.startOf(o)
	if from == nil {
		return nil, ""
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.states[from]
	start := &occurrence{Access: &access.Access{}, block: block, index: index}
	for _, w := range s.order {
		if w.Mode != atomicity.Write || w.Var != o.Var || w.via != nil || w.place.Object() != object || s.storesZero(w) || !s.alwaysComesFrom(w, start) {
			continue
		}
		look := s.foundUnset(w)
		if look == nil || lockOfBoth(w, look) == "" {
			continue
		}
		again := false // without the write
		for _, succ := range from.CFG.Blocks[block].Succs {
			again = again || w.block != block && s.reaches(succ, w.block)[block]
		}
		if !again {
			return w, lockOfBoth(w, look)
		}
	}
	return nil, ""
}

// startOf is the place of the go statement which alone starts the body, and what the object that
// o is a part of is there.
func (s *search) startOf(o *occurrence) (from *accesses.Body, block, index int, object accesses.Place) {
	fn := s.body.Func
	if fn != nil && (s.pkg.Exported(fn) || s.mentioned(fn) != 1 || fn.Signature().Recv() == nil || o.place.Object() != (accesses.Place{Root: fn.Signature().Recv()})) {
		return nil, 0, 0, object
	}
	for _, b := range s.pkg.Bodies {
		if b == s.body || fn == nil && b != s.body.Parent {
			continue
		}
		for block, events := range b.Events {
			for index, ev := range events {
				begin, ok := ev.Node.(*ast.GoStmt)
				if !ok || ev.Kind != accesses.OnGo || s.begunBy(begin.Call) != s.body {
					continue
				}
				if fn == nil {
					return b, block, index, o.place.Object()
				}
				sel, ok := ast.Unparen(begin.Call.Fun).(*ast.SelectorExpr)
				if !ok {
					return nil, 0, 0, object
				}
				return b, block, index, s.pkg.PlaceOf(sel.X)
			}
		}
	}
	return nil, 0, 0, object
}
