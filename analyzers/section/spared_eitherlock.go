package section

import (
	"go/ast"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
)

// takenEitherWay says whether the body takes a lock that is held at the end for reading in the one
// branch of an if, and for writing in the other, as the same condition mostly decides about the write:
//
//	if clear { s.mu.Lock() } else { s.mu.RLock() }
func (s *search) takenEitherWay(held locks.Set) bool {
	found := false
	s.inspectOwn(func(n ast.Node) {
		branch, ok := n.(*ast.IfStmt)
		if !ok || branch.Else == nil {
			return
		}
		for l := range held {
			class := locks.ClassOf(l)
			then, other := s.takesIn(branch.Body, class), s.takesIn(branch.Else, class)
			found = found || then == locks.Exclusive && other == locks.Shared || then == locks.Shared && other == locks.Exclusive
		}
	})
	return found
}

// takesIn is how the statement takes a lock of the class, if it does.
func (s *search) takesIn(stmt ast.Stmt, class string) (mode locks.Mode) {
	for _, events := range s.body.Events {
		for _, ev := range events {
			if ev.Node == nil || ev.Kind != accesses.OnCall || ev.Pos() < stmt.Pos() || ev.Pos() >= stmt.End() {
				continue
			}
			for _, op := range s.locks.Ops(ev) {
				if op.Kind == locks.Acquire && locks.ClassOf(op.Lock) == class {
					mode = op.Mode
				}
			}
		}
	}
	return mode
}
