package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// shownBare finds exported methods that return what a field holds without the lock under which
// another exported method changes it, where a comment says that several goroutines may use the
// object, or that all of the package is made for them:
//
//	// Package once … This implementation is thread-safe.
//
//	func (o *Once) Do()        { o.mu.Lock(); …; o.done = true; o.mu.Unlock() }
//	func (o *Once) Done() bool { return o.done }
//
// Without the comment, a flag that is shown may be meant for people who can do with an old one.
func (s *search) shownBare() {
	fn := s.body.Func
	if fn == nil || !fn.Exported() || fn.Signature().Recv() == nil || s.body.Parent != nil || s.shared.Constructing(s.body) || s.formatsUnasked() || s.recovers() {
		return
	}
	recv := fn.Signature().Recv()
	if tn := accesses.TypeName(recv.Type()); tn == nil || !s.shared.Documented(tn) || mutexes(tn.Type()) != 1 {
		return
	}
	for _, o := range s.order {
		if o.Mode != atomicity.Read || o.Kind != access.Cell || o.via != nil || len(o.held) > 0 || !o.Var.Obj.IsField() || o.place.Root != types.Object(recv) || !s.showsItself(o) ||
			s.waitedBefore(o) || s.setOnce(o.Var) && s.foundSet(o) || s.leftState(o) || s.saidHere(o) || s.logged(o) {
			continue
		}
		class := s.writtenUnder(o)
		if class == "" || s.handlesClass(class) {
			continue
		}
		w := s.changedByCaller(o, class)
		if w.occurrence == nil {
			continue
		}
		c := s.direct("discipline", "unguarded-access", o.Access, o.Pos(), w.Pos())
		c.Roles = [2]string{"read without the lock", "written with it"}
		c.Alike = fmt.Sprint(c.Category, c.Name, class)
		c.Message = fmt.Sprintf("%s is returned here without %s, with which %s writes it, though several goroutines may use the object, as its comment says",
			types.ExprString(o.Expr), w.lockOf(class), w.body.Fn.Name)
		s.tell(c, o, w.Access)
	}
}

// showsItself says whether the body returns what o reads, and nothing made of it.
func (s *search) showsItself(o *occurrence) bool {
	return s.returnsOne(func(r ast.Expr) bool { return ast.Unparen(r) == o.Expr })
}

// returnsOne says whether the body returns a value that is one of those asked for.
func (s *search) returnsOne(is func(ast.Expr) bool) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			found = found || slices.ContainsFunc(n.Results, is)
		}
		return !found
	})
	return found
}

// handlesClass says whether the body takes a lock of the class somewhere.
func (s *search) handlesClass(class string) bool {
	for _, events := range s.body.Events {
		for _, ev := range events {
			if slices.ContainsFunc(s.locks.Ops(ev), func(op locks.Op) bool { return locks.ClassOf(op.Lock) == class }) {
				return true
			}
		}
	}
	return false
}

// changedByCaller is where another exported method writes the variable under the lock, at any time:
// it does not ready the object or set it going.
func (s *search) changedByCaller(o *occurrence, class string) placed {
	for _, k := range s.ownAccesses(o.Var) {
		fn := k.body.Func
		if k.Mode != atomicity.Write || k.body == s.body || fn == nil || !fn.Exported() || !s.shared.Entered(k.body) || s.shared.SetsGoing(k.body) || !k.lockOf(class).Valid() {
			continue
		}
		readies := false
		s.inState(k.body, func() { readies = s.readies() || s.reachOf(k.occurrence) == shared.Private })
		if !readies {
			return k
		}
	}
	return placed{}
}
